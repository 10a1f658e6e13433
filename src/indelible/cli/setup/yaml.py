"""YAML, edited by text offsets: PyYAML's marks say where each entry stands, and what is not ours stays to the byte.

Only what a person or a program writes as block or flow mappings is edited. An entry is put in as a block at the end of
its section, or in braces where the section has them; strings are quoted, as JSON has them, which YAML reads too.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from indelible.cli.setup.formats import Found, Unsure, edited, newline_of

_MERGE = "tag:yaml.org,2002:merge"
_LONGEST = 4 << 20  # characters of a file that is read
_MOST = 200_000  # nodes of a file, aliases counted each time they are written out

# --- Reading ---


class _Loader(yaml.SafeLoader):  # type: ignore[misc]
    """Refuses a key that stands in a mapping twice, of which PyYAML would take the last without a word."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        if isinstance(node, yaml.MappingNode):
            _refuse_twice(node)
        value: dict[Any, Any] = super().construct_mapping(node, deep=deep)
        return value


def _refuse_twice(node: yaml.MappingNode) -> None:
    seen: set[str] = set()
    for key, _ in node.value:
        if isinstance(key, yaml.ScalarNode) and key.tag != _MERGE:
            if key.value in seen:
                raise Unsure(key.start_mark.line + 1, f'the key "{key.value}" stands there twice; keep only one')
            seen.add(key.value)


def _root(text: str) -> tuple[yaml.MappingNode | None, dict[str, Any]]:
    """Return the node of the document and what it says; (None, {}) where it says nothing. Raises Unsure."""
    if len(text) > _LONGEST:
        raise Unsure(1, f"the file has more than {_LONGEST:,} characters")
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        if node is None or (isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null"):
            _refuse_written_null(text)
            return None, {}
        if not isinstance(node, yaml.MappingNode):
            raise Unsure(node.start_mark.line + 1, "the document is not a mapping (key: value)")
        _refuse_large(node)
        values: dict[str, Any] = loader.construct_document(node)
        return yaml.compose(text, Loader=_Loader), values  # anew: what is merged (<<) was written out in the other
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise Unsure(mark.line + 1 if mark else 1, str(error.problem or error.context)) from error
    except yaml.YAMLError as error:
        raise Unsure(1, " ".join(str(error).split())) from error
    except (ValueError, TypeError, RecursionError) as error:
        raise Unsure(1, f"a value cannot be read ({type(error).__name__})") from error
    finally:
        loader.dispose()


def _refuse_written_null(text: str) -> None:
    """Raise Unsure where a text without values has more than comments: what follows a document's marks is not ours."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            raise Unsure(number, "the document is not a mapping (key: value)")


def _refuse_large(node: yaml.Node) -> None:
    """Raise Unsure where aliases make a small text large, or a node holds itself."""
    left = _MOST
    waiting = [node]
    while waiting:
        left -= 1
        if left < 0:
            raise Unsure(1, "its aliases make it too large to be read")
        last = waiting.pop()
        if isinstance(last, yaml.MappingNode):
            waiting += [part for pair in last.value for part in pair]
        elif isinstance(last, yaml.SequenceNode):
            waiting += last.value


def _pair(node: yaml.MappingNode, key: str) -> tuple[yaml.Node, yaml.Node] | None:
    return next((pair for pair in node.value if isinstance(pair[0], yaml.ScalarNode) and pair[0].value == key), None)


def _section(text: str, root: yaml.MappingNode, section: str) -> yaml.Node | None:
    """The node of the section, None where its key is missing; a null, as `extensions:` alone has, is a scalar."""
    found = _pair(root, section)
    if found is None:
        return None
    key, node = found
    if not isinstance(node, yaml.MappingNode) and not _is_nothing(node):
        raise Unsure(key.start_mark.line + 1, f'"{section}" is not a mapping (key: value)')
    if node.start_mark.index < key.end_mark.index:
        raise Unsure(key.start_mark.line + 1, f'"{section}" is an alias (*name); write its entries out')
    return node


def _is_nothing(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null"


def look(text: str, section: str, key: str) -> Found:
    """See formats.Format."""
    root, values = _root(text)
    node = _section(text, root, section) if root else None
    if node is None:
        return Found(False)
    table = values[section] or {}
    names = tuple(map(str, table))
    if key not in table:
        return Found(True, names)
    pair = _pair(node, key) if isinstance(node, yaml.MappingNode) else None
    if pair is None:
        raise Unsure(node.start_mark.line + 1, f'"{key}" comes from a merge (<<); write it out')
    return Found(True, names, table[key], pair[0].start_mark.line + 1)


# --- Putting in ---


def put(text: str, section: str, key: str, entry: Mapping[str, Any]) -> str:
    """See formats.Format."""
    found = look(text, section, key)
    if found.entry is None and key not in found.names:
        new = _added(text, section, key, entry)
    elif isinstance(found.entry, dict):
        new = text
        for name, value in entry.items():
            if found.entry.get(name) != value:
                new = _set(new, section, key, name, value)
    else:
        raise Unsure(found.line, f'"{key}" is not a mapping (key: value)')
    _confirm(text, new, section, key)
    now = look(new, section, key).entry
    if not isinstance(now, dict) or any(now.get(name) != value for name, value in entry.items()):
        raise Unsure(1, "the edited file does not have the expected entry")
    return new


def _added(text: str, section: str, key: str, entry: Mapping[str, Any]) -> str:
    root, _ = _root(text)
    if root is None:
        return _behind(text, len(text), _block(text, "", {section: {key: dict(entry)}}, _step(text, None)))
    node = _section(text, root, section)
    step = _step(text, root)
    if node is None:
        return _into(text, root, {section: {key: dict(entry)}}, step)
    if isinstance(node, yaml.MappingNode):
        return _into(text, node, {key: dict(entry)}, step)
    pair = _pair(root, section)
    assert pair is not None
    return _in_nothing(text, root, pair, {key: dict(entry)}, step)


def _in_nothing(
    text: str, root: yaml.MappingNode, pair: tuple[yaml.Node, yaml.Node], value: dict[str, Any], step: str
) -> str:
    """The text with entries under a key that has no value: `extensions:`, or one that is written (`null`, `~`)."""
    key, node = pair
    if node.start_mark.index < node.end_mark.index or root.flow_style:
        start, end = node.start_mark.index, max(node.end_mark.index, node.start_mark.index)
        return edited(text, [(start, end, (" " if text[start - 1] == ":" else "") + _flow(value))])
    indent = " " * root.start_mark.column + step
    return _behind(text, _end_of_line(text, key.end_mark.index), _block(text, indent, value, step))


def _into(text: str, node: yaml.MappingNode, value: dict[str, Any], step: str) -> str:
    """The text with more entries at the end of a mapping."""
    if node.flow_style:
        return _into_flow(text, node, value)
    last_key, last = node.value[-1]
    indent = " " * node.start_mark.column
    return _behind(text, _end_of_entry(text, last_key, last), _block(text, indent, value, step))


def _into_flow(text: str, node: yaml.MappingNode, value: dict[str, Any]) -> str:
    close = node.end_mark.index - 1
    inner = _flow(value)[1:-1]
    if not node.value:
        return edited(text, [(close, close, inner)])
    end = node.value[-1][1].end_mark.index
    comma = "" if "," in _plain(text[end:close]) else ","
    if comma:
        return edited(text, [(end, end, f", {inner}")])
    place = end + text[end:close].index(",") + 1
    return edited(text, [(place, place, f" {inner},")])


def _plain(text: str) -> str:
    """A piece of text between nodes without its comments."""
    return "\n".join(line.partition("#")[0] for line in text.split("\n"))


def _set(text: str, section: str, key: str, name: str, value: Any) -> str:
    """The text with one value of our entry set."""
    root, _ = _root(text)
    section_node = _section(text, root, section) if root else None
    pair = _pair(section_node, key) if isinstance(section_node, yaml.MappingNode) else None
    if root is None or pair is None or not isinstance(pair[1], yaml.MappingNode):
        raise Unsure(1, f'"{key}" is not a mapping (key: value)')
    if pair[1].start_mark.index < pair[0].end_mark.index:
        raise Unsure(pair[0].start_mark.line + 1, f'"{key}" is an alias (*name); write it out')
    step = _step(text, root)
    found = _pair(pair[1], name)
    if found is None:
        return _into(text, pair[1], {name: value}, step)
    name_key, there = found
    start, end = there.start_mark.index, there.end_mark.index
    if start < name_key.end_mark.index:
        raise Unsure(name_key.start_mark.line + 1, f'"{name}" is an alias (*name); write it out')
    if isinstance(there, yaml.CollectionNode) and not there.flow_style:
        start, end = _end_of_colon(text, name_key), _content_end(text, name_key, there)
        return edited(text, [(start, end, " " + _flow(value))])
    blank = " " if text[start - 1] == ":" else ""
    if isinstance(there, yaml.ScalarNode) and there.style in ("|", ">"):
        return edited(text, [(start, _content_end(text, name_key, there), blank + _flow(value))])
    return edited(text, [(start, end, blank + _flow(value))])


def _end_of_colon(text: str, key: yaml.Node) -> int:
    return text.index(":", key.end_mark.index) + 1


# --- Writing ---


def _flow(value: Any) -> str:
    """A value as JSON, which YAML reads too, with the characters escaped that YAML takes for no text."""
    written = json.dumps(value, ensure_ascii=False)
    return "".join(
        char if char.isprintable() or char == " " else f"\\u{ord(char):04x}" if ord(char) < 0x10000 else char
        for char in written
    )


def _block(text: str, indent: str, value: Mapping[str, Any], step: str) -> str:
    """Mappings as lines, each with a final line break; lists and strings as JSON."""
    return "".join(line + newline_of(text) for line in _lines(indent, value, step))


def _lines(indent: str, value: Mapping[str, Any], step: str) -> Iterator[str]:
    for name, inner in value.items():
        if isinstance(inner, dict) and inner:
            yield f"{indent}{_name(name)}:"
            yield from _lines(indent + step, inner, step)
        else:
            yield f"{indent}{_name(name)}: {_flow(inner)}"


def _name(name: str) -> str:
    return name if name.replace("_", "").replace("-", "").isalnum() and name[0].isalpha() else _flow(name)


def _step(text: str, root: yaml.MappingNode | None) -> str:
    """One step of indentation: that of the first mapping in the document, else two blanks."""
    for _, node in root.value if root else ():
        if isinstance(node, yaml.MappingNode) and not node.flow_style and node.value and root is not None:
            width = int(node.start_mark.column - root.start_mark.column)
            if width > 0:
                return " " * width
    return "  "


def _behind(text: str, place: int, block: str) -> str:
    """The text with lines put in at the beginning of a line, or at the end of a text whose last line has no break."""
    newline = "" if not place or text[place - 1] == "\n" else newline_of(text)
    return edited(text, [(place, place, newline + block)])


def _end_of_line(text: str, place: int) -> int:
    end = text.find("\n", place)
    return len(text) if end < 0 else end + 1


def _content_end(text: str, key: yaml.Node, node: yaml.Node) -> int:
    """The end of what an entry says, without the line break, comments and blank lines behind it."""
    end = int(node.end_mark.index)
    if isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"):
        return len(text[:end].rstrip("\r\n"))
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        inner_key, inner = last if isinstance(last, tuple) else (last, last)
        if inner.end_mark.index < inner_key.end_mark.index or _is_elsewhere(inner, inner_key):
            return _end_of_alias(text, inner_key)
        return _content_end(text, inner_key, inner)
    if _is_elsewhere(node, key):
        return _end_of_alias(text, key)
    return max(end, int(key.end_mark.index))


def _is_elsewhere(node: yaml.Node, key: yaml.Node) -> bool:
    """Does a value stand before its key: an alias, of which PyYAML gives the marks of what it names."""
    return bool(node.start_mark.index < key.start_mark.index)


def _end_of_alias(text: str, key: yaml.Node) -> int:
    star = text.index("*", key.end_mark.index)
    end = star + 1
    while end < len(text) and text[end] not in " \t\r\n,[]{}":
        end += 1
    return end


def _end_of_entry(text: str, key: yaml.Node, node: yaml.Node) -> int:
    """The beginning of the line behind an entry; a comment on its last line belongs to it."""
    end = _content_end(text, key, node)
    if isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"):
        return int(node.end_mark.index)  # `|+` keeps the blank lines behind it
    return _end_of_line(text, end)


# --- Taking out ---


def drop(text: str, section: str, key: str, prune: bool) -> str:
    """See formats.Format. With its lines; comments around it stay."""
    root, _ = _root(text)
    node = _section(text, root, section) if root else None
    if root is None or not isinstance(node, yaml.MappingNode) or _pair(node, key) is None:
        return text
    whole = prune and len(node.value) == 1
    new = _without(text, root, section) if whole else _without(text, node, key)
    _confirm(text, new, section, key)
    if key in look(new, section, key).names:
        raise Unsure(1, "the entry is still there")
    return new


def _without(text: str, node: yaml.MappingNode, key: str) -> str:
    """The text without an entry of a mapping."""
    at = next(i for i, pair in enumerate(node.value) if isinstance(pair[0], yaml.ScalarNode) and pair[0].value == key)
    found, value = node.value[at]
    if node.flow_style:
        return _without_in_flow(text, node, at)
    start = text.rfind("\n", 0, found.start_mark.index) + 1
    if text[start : found.start_mark.index].strip():
        raise Unsure(found.start_mark.line + 1, f'something stands before "{key}" on its line; remove it by hand')
    end = _end_of_entry(text, found, value)
    if end == len(text) and not text.endswith("\n"):
        start = len(text[:start].removesuffix("\n").removesuffix("\r"))  # its text ended without a line break
    return edited(text, [(start, end, "")])


def _without_in_flow(text: str, node: yaml.MappingNode, at: int) -> str:
    key, value = node.value[at]
    end = _content_end(text, key, value)
    close = node.end_mark.index - 1
    if at:
        before = node.value[at - 1]
        return edited(text, [(_content_end(text, *before), end, "")])
    stop = node.value[1][0].start_mark.index if len(node.value) > 1 else close
    if len(node.value) == 1 and not text[end:stop].replace(",", "").strip():
        return edited(text, [(key.start_mark.index, stop, "")])
    return edited(text, [(key.start_mark.index, stop if len(node.value) > 1 else end, "")])


# --- What an edit may do ---


def _confirm(text: str, new: str, section: str, key: str) -> None:
    if not same_but_for(text, new, section, key):
        raise Unsure(1, "the edit would change more than the entry")


def same_but_for(one: str, other: str, section: str, key: str) -> bool:
    """See formats.Format."""
    return _others(one, section, key) == _others(other, section, key)


def _others(text: str, section: str, key: str) -> str:
    _, values = _root(text)
    kept = dict(values)
    table = kept.get(section)
    if isinstance(table, dict) or (section in kept and table is None):
        inner = {name: value for name, value in (table or {}).items() if name != key}
        if inner:
            kept[section] = inner
        else:
            del kept[section]
    return json.dumps(kept, sort_keys=False, default=repr)


def is_plain(text: str, section: str, key: str) -> bool:
    """See formats.Format: no client with a file in YAML has a command of its own that set-up uses."""
    return False


def snippet(section: str, key: str, entry: Mapping[str, Any]) -> str:
    """See formats.Format."""
    return put("", section, key, entry)
