"""Messages among the records.

A message's session is its conversation's (`session_of`), its position the order in it.
"""

from indelible.model import Record
from indelible.store.database import Transaction, one
from indelible.store.tables import records

MESSAGE = "message"


def session_of(conversation: str) -> str:
    """The session of the messages of a conversation."""
    return f"conversation:{conversation}"


def key_of(number: int) -> str:
    """The id of the message of a number, where its caller gave none."""
    return f"msg_{number}"


def number_of(message: Record) -> int:
    """The number of a message, 0 where an import brought none."""
    given = message.metadata.get("number")
    return given if isinstance(given, int) and not isinstance(given, bool) else 0


def fill(tx: Transaction, message: Record) -> None:
    """Overwrite a message that was stored empty with all of this one but its id and namespace."""
    records.update(tx, message)
    tx.run(
        "chats.fill",
        id=message.id,
        session=message.session,
        position=message.position,
        created=message.created,
    )


def of_tool(tx: Transaction, tool: str, limit: int) -> list[Record]:
    """The messages that came from a tool, newest first, then the one stored last."""
    return [records.from_row(row) for row in tx.rows("chats.of_tool", tool=tool, limit=limit)]


def first_prompt(tx: Transaction, conversation: str, length: int) -> str:
    """The first words of the user in a conversation, up to so many characters, "" where there are none."""
    row = one(tx.rows("chats.first_user_message", session=session_of(conversation), length=length))
    return "" if row is None else str(row[0])


def numbered(tx: Transaction, number: str) -> list[Record]:
    """The messages of a number, which is not their key."""
    return [records.from_row(row) for row in tx.rows("chats.numbered", number=number)]
