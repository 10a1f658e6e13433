"""From the captures of a match to a Definition: its name, its qualifier, its body and its signature."""

import hashlib
import re

from tree_sitter import Node

from indelible.source.parse.conventions import Definition
from indelible.source.parse.names import without_arguments
from indelible.source.parse.symbols import CALLABLE, CLASS, FUNCTION, METHOD, TEST, VARIABLE

LONGEST_NAME = 240
LONGEST_SIGNATURE = 400  # characters
SHORTEST_BODY = 32  # bytes without layout; below, bodies of different things are often equal

_SPACE = re.compile(r"\s+")
_SECOND_WORD = re.compile(r"[a-z0-9](?:_+[A-Za-z0-9]|[A-Z])")  # where it begins
_COMMENT = re.compile(r"(?<=[:)]) #.*")  # between a Python header and its body
_DECLARATORS = frozenset(
    "function_declarator pointer_declarator reference_declarator parenthesized_declarator array_declarator "
    "init_declarator attributed_declarator".split()
)
_TEST_MACROS = frozenset(
    "TEST TEST_F TEST_P TYPED_TEST TYPED_TEST_P TEST_CASE TEST_CASE_METHOD SCENARIO "
    "Test ParameterizedTest BOOST_AUTO_TEST_CASE".split()
)
_CASES = frozenset("describe it test suite context specify bench beforeEach afterEach beforeAll afterAll".split())
_EXPORTS = frozenset(("exports", "module"))
_PATHS = frozenset(("qualified_identifier", "template_type", "scope_resolution"))
_MARKED = {"finalizer": "~", "operator": "operator"}
_NOT_IN_NAMES = frozenset(("prototype", "exports", "module", "this", "self", "window", "globalThis"))

Captures = dict[str, list["Node"]]


def string(text: bytes, node: "Node") -> str:
    """Return the text of a node."""
    return text[node.start_byte : node.end_byte].decode("utf-8", "replace")


def definition(text: bytes, kind: str, node: "Node", captures: Captures) -> Definition | None:
    """Return the definition of a match, None if it turns out to be none (a function pointer, a call like `it`)."""
    made = Definition(kind, "", node.start_byte, node.end_byte, outer_start=node.start_byte)
    made.start_row, made.end_row = node.start_point[0], node.end_point[0]
    _set_body(made, node)
    if declarator := captures.get("declarator"):
        whole = kind != VARIABLE or not node.has_error  # else a list of initialisers may look like one
        named = _declared(text, declarator[0], made) if whole else None
    elif kind in ("assigned", VARIABLE, CLASS) and node.type == "assignment_expression":
        named = _assigned(text, node, captures["name"][0], made)
    elif node.type == "class" and node.parent is not None and node.parent.type == "assignment_expression":
        named = None  # it has the name that it is assigned to
    elif kind == "default":
        made.name, made.exported = "default", True
        made.kind = CLASS if node.type == "class" else FUNCTION
        named = node
    elif kind == TEST:
        named = _case(text, captures, made)
    else:
        named = _named(text, captures["name"][0], made)
    if named is None or not made.name or len(made.name) > LONGEST_NAME:
        return None
    if made.name == "_" and made.kind not in CALLABLE:
        return None
    made.line = named.start_point[0]
    if receiver := captures.get("receiver"):
        made.qualifier = _receiver(string(text, receiver[0]))
    return made


def _named(text: bytes, node: "Node", made: Definition) -> "Node":
    """Name a definition by its name node; the name of a nested or specialised class has its qualifier before it."""
    made.name = _key(string(text, node))
    if made.kind in _MARKED:  # of C#
        mark = _MARKED[made.kind]
        made.name = f"{mark} {made.name}" if mark.isalpha() and made.name[:1].isalpha() else f"{mark}{made.name}"
        made.kind = METHOD
    elif node.type in _PATHS:
        made.qualifier, made.name = _qualified(made.name)
    return node


def _set_body(made: Definition, node: "Node") -> None:
    body = node.child_by_field_name("body")
    if body is None:
        value = node.child_by_field_name("value") or node.child_by_field_name("right")
        body = value.child_by_field_name("body") if value is not None else None
    if body is not None:
        made.body_start, made.body_end = body.start_byte, body.end_byte
    else:
        made.declared = node.type != "function_definition"


def _key(name: str) -> str:
    """Return the name of a property or symbol: without quotes, and without brackets where they hold a text."""
    if name[:1] == "[" and name[1:2] in "\"'":
        name = name[1:-1]
    if name[:1] == ":" and name[1:2] != ":":  # a symbol of Ruby
        name = name[1:]
    return name.strip("\"'`") if name[:1] in "\"'`" else name


def _receiver(parameters: str) -> str:
    """Return the type of a Go method's receiver: `(s *Stack[T])` is Stack."""
    words = without_arguments(parameters.strip("() \n\t")).replace("*", " ").replace("[]", "").split()
    return words[-1] if words else ""


# --- JavaScript ---


def _assigned(text: bytes, node: "Node", target: "Node", made: Definition) -> "Node | None":
    """Name an assigned function: `Foo.prototype.bar = function` is bar of Foo, `exports.bar = function` is exported.

    `module.exports = function bar` is an exported bar too.
    """
    parts = string(text, target).replace("?.", ".").split(".")
    made.exported = parts[0] in _EXPORTS
    named = [part.strip() for part in parts if part.strip() not in _NOT_IN_NAMES]
    if not named and parts[-1].strip() == "exports":
        value = node.child_by_field_name("right")
        own = value.child_by_field_name("name") if value is not None else None
        if own is not None:
            made.name = string(text, own)
            made.kind = made.kind if made.kind == CLASS else FUNCTION
            return own
        named = ["exports"]  # the value that `require` of the file returns
    if not named or not all(part.replace("$", "_").lstrip("#").isidentifier() for part in named):
        return None
    made.name, made.qualifier = named[-1], ".".join(named[:-1])
    if made.kind == "assigned":
        made.kind = METHOD if made.qualifier or parts[0] == "this" else FUNCTION
    return target


def _case(text: bytes, captures: Captures, made: Definition) -> "Node | None":
    """Name a case of describe/it/test by its title."""
    callee = string(text, captures["callee"][0]).partition(".")[0]
    if callee not in _CASES:
        return None
    title = captures["name"][0]
    made.name = _SPACE.sub(" ", string(text, title)).strip("\"'` ")[:LONGEST_NAME]
    made.case = True
    made.declared = False
    return title


# --- C and C++ ---


def _declared(text: bytes, node: "Node", made: Definition) -> "Node | None":
    """Find the name inside a declarator, with its qualifier."""
    is_pointer = is_function = False
    outermost = node
    for _ in range(64):
        is_function = is_function or node.type == "function_declarator"
        if node.type not in _DECLARATORS:
            break
        inner = node.child_by_field_name("declarator")
        if inner is None and node.named_child_count:
            inner = node.named_child(node.named_child_count - 1)
        if inner is None:
            return None
        is_pointer = is_pointer or (is_function and inner.type == "pointer_declarator")
        node = inner
    if (made.kind == FUNCTION and is_pointer) or (made.kind == VARIABLE and is_function and not is_pointer):
        return None  # a pointer to a function, a pure virtual function
    if made.kind == FUNCTION and not is_function and node.type != "operator_cast":
        return _of_macro(text, outermost, node, made)
    written = string(text, node)
    if written in _TEST_MACROS and made.kind == FUNCTION:
        return _test_macro(text, outermost, made)
    if made.kind == VARIABLE and _SPACE.search(written):
        return None  # with a macro before its type
    made.qualifier, made.name = _qualified(written)
    return node if made.name not in _STATEMENTS else None


def _of_macro(text: bytes, declarator: "Node", inner: "Node", made: Definition) -> "Node | None":
    """Name a function made by a macro, `TEST_IMPL(name) {`, after the macro's argument."""
    macro = _MACRO.search(text[made.start : declarator.start_byte])
    if macro is None or declarator.type != "parenthesized_declarator" or inner.type != "identifier":
        return None
    made.name = string(text, inner)
    made.case = b"TEST" in macro.group(1)
    return inner


def _test_macro(text: bytes, declarator: "Node", made: Definition) -> "Node | None":
    """Name GoogleTest's `TEST(Suite, name)` Suite.name."""
    parameters = declarator.child_by_field_name("parameters")
    if parameters is None:
        return None
    words = re.findall(r"\w+", string(text, parameters))
    made.name = ".".join(words[:2])
    made.case = True
    return parameters


_MACRO = re.compile(rb"\b([A-Z][A-Z0-9_]{3,})\s*$")
_STATEMENTS = frozenset("if else for while do switch return sizeof catch".split())  # the grammar takes them for names
_OPERATOR = re.compile(r"\boperator\b")


def _qualified(written: str) -> tuple[str, str]:
    """Return (qualifier, name) of a declared name without template arguments: `ns::Foo<T>::operator <` too."""
    found = _OPERATOR.search(written)
    if found is None:
        path = without_arguments(_SPACE.sub("", written))
        qualifier, _, name = path.rpartition("::")
        return qualifier.removeprefix("::"), name
    before, operator = written[: found.start()], written[found.end() :]
    operator = operator.partition("(")[0] if not operator.lstrip().startswith("(") else "()"
    operator = _SPACE.sub(" ", operator.strip())
    operator = f" {operator}" if operator[:1].isalpha() else operator
    qualifier = without_arguments(_SPACE.sub("", before)).removesuffix("::")
    return qualifier.removeprefix("::"), f"operator{operator}"


# --- Signature and body ---


def signature(text: bytes, made: Definition) -> str:
    """Return the signature: everything before the body on one line, at most LONGEST_SIGNATURE characters."""
    if made.body_start >= 0:
        end = min(made.body_start, made.start + 4 * LONGEST_SIGNATURE)
        announced = text[made.start : end].decode("utf-8", "replace")
    else:
        announced = text[made.start : min(made.end, made.start + 4 * LONGEST_SIGNATURE)].decode("utf-8", "replace")
        if not made.declared or made.kind not in (FUNCTION, METHOD):
            announced = announced.partition("\n")[0] if announced.count("\n") > 6 else announced
    announced = " ".join(announced.split())
    if announced.endswith("))") and announced.count(")") > announced.count("("):
        announced = announced[:-1]  # of a macro around it
    if "#" in announced:
        announced = _COMMENT.sub("", announced)
    return announced.rstrip(" {:=;,").removesuffix("=>").rstrip()[:LONGEST_SIGNATURE]


def body_hash(text: bytes, made: Definition) -> str:
    """Return 16 hexadecimal digits of a body without its layout; 8 of one that is short, or of all that has no body."""
    has_body = made.body_start >= 0
    start, end = (made.body_start, made.body_end) if has_body else (made.start, made.end)
    body = text[start:end].translate(None, _LAYOUT)
    return hashlib.blake2b(body, digest_size=8 if has_body and len(body) >= SHORTEST_BODY else 4).hexdigest()


_LAYOUT = b" \t\n\r\v\f"


def is_telling(body_hash: str) -> bool:
    """Return whether a body is long enough to distinguish a definition from others."""
    return len(body_hash) > 8


def has_words(name: str) -> bool:
    """Return whether a name is of several words, so that few definitions have it: `write_all`, `hasFlag`."""
    return _SECOND_WORD.search(name) is not None
