"""Reads a policy file, TOML or YAML, and remembers on which line each key stands."""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, cast

import yaml

from mapgraph_neo.errors import PolicyError

MAX_FILE_BYTES = 1_000_000  # far above any policy; keeps a wrong path from filling the memory
YAML_SUFFIXES = (".yaml", ".yml")

Where = tuple[str | int, ...]
"""A key and the keys and list positions above it."""

_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)$")
_AT_END = " (at end of document)"
_TRIPLE = ('"""', "'''")


@dataclass(frozen=True, slots=True)
class PolicyFile:
    """What a policy file holds, and the line of every key in it."""

    name: str
    data: Mapping[str, object]
    lines: Mapping[Where, int]

    def fail(self, where: Where, message: str) -> NoReturn:
        """Refuse the file for what stands at ``where``.

        Raises:
            PolicyError: Always; names the file, the line and the key.

        """
        known = next((where[:n] for n in range(len(where), -1, -1) if where[:n] in self.lines), ())
        _fail(self.name, self.lines.get(known, 1), spelt(where), message)


def read_policy_file(path: Path) -> PolicyFile:
    """Return what the file at ``path`` holds; YAML if it ends in .yaml or .yml, else TOML.

    Raises:
        PolicyError: It cannot be read or parsed, is empty, or holds a key twice.

    """
    name = str(path)
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        message = f"policy file `{name}` cannot be read: {error.strerror or type(error).__name__}"
        raise PolicyError(message) from None
    if len(raw) > MAX_FILE_BYTES:
        _fail(name, 1, "", f"is larger than {MAX_FILE_BYTES} bytes")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        _fail(name, raw.count(b"\n", 0, error.start) + 1, "", "is not UTF-8 text")
    return parse_policy(name, text, is_yaml=path.suffix.lower() in YAML_SUFFIXES)


def parse_policy(name: str, text: str, *, is_yaml: bool) -> PolicyFile:
    """Return what ``text`` holds; ``name`` is what to call it in a message.

    Raises:
        PolicyError: It cannot be parsed, is empty, or holds a key twice.

    """
    try:
        found = parse_yaml(name, text) if is_yaml else _parse_toml(name, text)
    except RecursionError:
        _fail(name, 1, "", "is nested too deeply")
    if not found.data:
        _fail(name, 1, "", "holds nothing; leave the setting out to use the default policy")
    return found


def _fail(name: str, line: int, key: str, message: str) -> NoReturn:
    text = f"{name}:{line}: `{key}`: {message}" if key else f"{name}:{line}: {message}"
    raise PolicyError(text)


def spelt(where: Where) -> str:
    """Return ``where`` as a person writes it: ``argument_rules[0].op``."""
    text = ""
    for part in where:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part}" if text else part
    return text


# TOML: the standard parser gives no positions, so a scan of the lines finds the keys.


def _parse_toml(name: str, text: str) -> PolicyFile:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        _fail_toml(name, text, str(error))
    except ValueError as error:  # an integer of thousands of digits
        _fail(name, 1, "", str(error))
    return PolicyFile(name, data, _toml_lines(text))


def _fail_toml(name: str, text: str, message: str) -> NoReturn:
    lines = text.rstrip("\n").split("\n")
    match = _AT_LINE.search(message)
    line = int(match[1]) if match else len(lines)
    said = _AT_LINE.sub("", message).removesuffix(_AT_END)
    if said.startswith(("Cannot overwrite", "Duplicate", "Cannot declare")):
        said = "this key stands twice"
    line = min(line, len(lines))
    table = next((w for w in reversed([_header(row) for row in lines[:line]]) if w), ())
    key = () if _header(lines[line - 1]) else _key(lines[line - 1])
    _fail(name, line, spelt(table + key), said[:1].lower() + said[1:])


def _toml_lines(text: str) -> dict[Where, int]:
    lines: dict[Where, int] = {}
    counts: dict[Where, int] = {}
    table: Where = ()
    quoted = False
    for number, row in enumerate(text.split("\n"), 1):
        if not quoted:
            if row.lstrip().startswith("#"):
                continue
            if header := _header(row):
                table = header
                if row.lstrip().startswith("[["):
                    counts[header] = counts.get(header, -1) + 1
                    lines.setdefault(header, number)
                    table = (*header, counts[header])
                where = table
            else:
                key = _key(row)
                where = table + key if key else ()
            for end in range(1, len(where) + 1):
                lines.setdefault(where[:end], number)
        if sum(row.count(mark) for mark in _TRIPLE) % 2:
            quoted = not quoted
    return lines


def _header(row: str) -> Where:
    """Return the table that ``row`` opens, or ``()``."""
    if not row.lstrip().startswith("["):
        return ()
    return _only_path(row)


def _key(row: str) -> Where:
    """Return the key that ``row`` sets, or ``()``."""
    start = row.find("=")
    while start != -1:
        if path := _only_path(f"{row[:start]}=0"):
            return path
        start = row.find("=", start + 1)
    return ()


def _only_path(toml: str) -> Where:
    """Return the one path of keys in ``toml``, or ``()`` if it is no TOML."""
    try:
        value: object = tomllib.loads(toml)
    except (ValueError, RecursionError):
        return ()
    path: list[str | int] = []
    while True:
        if isinstance(value, list) and value:
            value = cast("list[object]", value)[0]
        if not isinstance(value, dict) or not value:
            return tuple(path)
        key, value = next(iter(cast("dict[str, object]", value).items()))
        path.append(key)


# YAML: the safe loader's own tree, without aliases, tags and surprises of YAML 1.1.


class _Loader(yaml.SafeLoader):
    """The safe loader, reading plain scalars as YAML 1.2 does: ``off`` is a word, not false."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 - the parent's own, replaced


for _tag, _pattern, _first in (
    ("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", list("tTfF")),
    ("int", r"^[-+]?(?:0|[1-9][0-9]*)$", list("-+0123456789")),
    (
        "float",
        r"^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.inf|\.nan)$",
        list("-+.0123456789"),
    ),
):
    _entry = (f"tag:yaml.org,2002:{_tag}", re.compile(_pattern))
    for _character in _first:
        _Loader.yaml_implicit_resolvers.setdefault(_character, []).append(_entry)

_SCALARS = tuple(f"tag:yaml.org,2002:{tag}" for tag in ("str", "null", "bool", "int", "float"))


def parse_yaml(name: str, text: str) -> PolicyFile:
    """Return what a YAML ``text`` holds, also when that is nothing.

    Raises:
        PolicyError: It cannot be parsed, or holds a key twice, an alias or a tag.

    """
    lines: dict[Where, int] = {}
    try:
        loader = _Loader(text)
        node = loader.get_single_node()  # before the scan, which is slow on deep nesting
        tokens = cast("Iterable[yaml.Token]", yaml.scan(text, Loader=_Loader))  # pyright: ignore[reportUnknownMemberType] - the stubs leave it open
        for token in tokens:
            if isinstance(token, yaml.AliasToken):  # aliases can make a small file endless
                _fail(name, token.start_mark.line + 1, "", "aliases are refused")
        data: object = _value(name, loader, node, (), lines) if node else {}
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        _fail(name, mark.line + 1 if mark else 1, "", error.problem or "is no YAML")
    except (yaml.YAMLError, ValueError) as error:
        _fail(name, 1, "", " ".join(str(error).split()))
    if not isinstance(data, dict):
        _fail(name, 1, "", "must hold keys and values")
    return PolicyFile(name, cast("dict[str, object]", data), lines)


def _value(
    name: str, loader: _Loader, node: yaml.Node, where: Where, lines: dict[Where, int]
) -> object:
    """Return what ``node`` holds, noting the line of every key under it."""
    line = node.start_mark.line + 1
    lines.setdefault(where, line)
    if isinstance(node, yaml.MappingNode) and node.tag == "tag:yaml.org,2002:map":
        found: dict[str, object] = {}
        for key, value in cast("Sequence[tuple[yaml.Node, yaml.Node]]", node.value):
            word = cast("object", key.value)
            under = (*where, str(word))
            at = key.start_mark.line + 1
            if key.tag != _SCALARS[0] or not isinstance(word, str):
                _fail(name, at, spelt(under), "a key must be a plain string")
            if word in found:
                _fail(name, at, spelt(under), "this key stands twice")
            lines[under] = at
            found[word] = _value(name, loader, value, under, lines)
        return found
    if isinstance(node, yaml.SequenceNode) and node.tag == "tag:yaml.org,2002:seq":
        items = cast("Sequence[yaml.Node]", node.value)
        return [_value(name, loader, item, (*where, i), lines) for i, item in enumerate(items)]
    if isinstance(node, yaml.ScalarNode) and node.tag in _SCALARS:
        return cast("object", loader.construct_object(node))  # pyright: ignore[reportUnknownMemberType] - the stubs leave it open
    _fail(name, line, spelt(where), "tags are refused")
