"""Finding the lost text of a damaged record in the trash or in backups of the store."""

from indelible.admin import backups
from indelible.core.context.context import Context
from indelible.core.records.item_schema import HASHED, content_hash
from indelible.model import Record
from indelible.store.database import Transaction
from indelible.store.sqlite.old_files import text_of
from indelible.store.tables import trash


def find(ctx: Context, tx: Transaction, record: Record) -> str | None:
    """The text that a record had when its hash was written, None where neither the trash nor a backup has it.

    Only where the hash is that of the text: a failure is known by its message, an attempt by its prompt.
    """
    if record.kind not in HASHED or not record.content_hash:
        return None
    earlier = (trash.record_of(thing.body).text for thing in trash.of_key(tx, ctx.tenant, record.key))
    found = next((text for text in earlier if _fits(record, text)), None)
    return found if found is not None else _in_backups(ctx, record)


def _fits(record: Record, text: str) -> bool:
    return content_hash(record.kind, record.type, text, record.metadata) == record.content_hash


def _in_backups(ctx: Context, record: Record) -> str | None:
    """Return the text from the automatic backups beside the store, the newest first, None if none has it."""
    if not backups.is_file(ctx):
        return None
    for file in backups.automatic(ctx):
        text = text_of(file, record.kind, record.namespace, record.key)
        if text is not None and _fits(record, text):
            return text
    return None
