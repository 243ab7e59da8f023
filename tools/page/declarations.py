"""Writes `tools/page/api.d.ts`: the types of what the arcade's page and server send each other.

They come from the server's own definitions: the messages of `rookery.web` and the scene of `rookery.core`.
"""

from __future__ import annotations

import inspect
import re
import types
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_origin

import msgspec
from litestar import Litestar, Response
from litestar.routes import HTTPRoute
from msgspec import inspect as kinds

from rookery.core import scene
from rookery.web import messages, profile_messages, puzzle_messages, review_messages, updates
from rookery.web.api import ROUTES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

OUT = Path(__file__).with_name("api.d.ts")
HEAD = """\
// What the page and the server send each other. Written by tools/page/declarations.py from the server's definitions;
// after a change there, run `make page-types`.

declare namespace Api {
"""
TAIL = """
  /** A scene that has only the cells that changed since the scene before, each with its index. */
  interface SceneChange extends Omit<Scene, "cells"> {
    changed: [number, Cell][];
  }
  type AnyScene = Scene | SceneChange;

  /** What answers each message, unless it is refused. */
  interface OtherReplies {
    why: never;
    look: EarlierPosition;
    analyse: AnalysisReply;
    restart: Moved;
    rematch: Moved;
    ping: Pong;
  }
  type Replies = OtherReplies & Omit<Record<ClientMessage["do"], Acknowledged>, keyof OtherReplies>;

  /** The options of a game, as JSON Schema describes them. */
  interface OptionsSchema {
    properties: Record<string, OptionSchema>;
  }
  interface OptionSchema {
    type: string | string[];
    title: string;
    description: string;
    letters?: Record<string, string>;
    default?: any;
    minimum?: number;
    maximum?: number;
    usualMaximum?: number;
    enum?: string[];
    enumDescriptions?: string[];
    pattern?: string;
  }
}
"""
ROLES = {
    (scene.Cell, "role"): scene.CELL_ROLES,
    (scene.Mark, "role"): scene.MARK_ROLES,
    (scene.Choice, "role"): scene.CHOICE_ROLES,
}
"""Texts of which the server sends only these."""
PLAIN: dict[type[kinds.Type], str] = {
    kinds.StrType: "string",
    kinds.IntType: "number",
    kinds.FloatType: "number",
    kinds.BoolType: "boolean",
    kinds.NoneType: "null",
    kinds.AnyType: "any",
}


def declarations() -> str:
    """The text of the file."""
    parts = [
        *map(interface, scenes()),
        *(
            interface(each)
            for module in (messages, profile_messages, puzzle_messages, review_messages, updates)
            for each in structs(module)
        ),
    ]
    for module, name in ((messages, "ClientMessage"), (updates, "ServerMessage")):
        union = kinds.type_info(getattr(module, name))
        parts.append(f"  type {name} = {typescript(union)};\n")
    return HEAD + "\n".join([*parts, *routes()]) + TAIL


def routes() -> Iterator[str]:
    """Of a request by its method and path: what is answered, and what the body is."""
    paths: dict[str, list[tuple[str, str, str]]] = {}
    longest_first = sorted(Litestar([ROUTES], openapi_config=None).routes, key=lambda each: each.path, reverse=True)
    for route in longest_first:
        path = re.sub(r"\{\w+:str\}", "${string}", route.path)
        for handler in route.route_handlers if isinstance(route, HTTPRoute) else ():
            if "OPTIONS" in handler.http_methods:
                continue
            (method,) = map(str, handler.http_methods)
            answer, body = handler.parsed_return_field.annotation, handler.parsed_data_field
            sent = typescript(kinds.type_info(body.annotation)) if body else "undefined"
            answer = get_args(answer)[0] if get_origin(answer) is Response else answer
            found = typescript(kinds.type_info(answer))
            paths.setdefault(method, []).append((f"`{path}${{string}}`", found, sent))
    for name, place in (("AnswerTo", 1), ("BodyOf", 2)):
        lines = [f"  type {name}<M extends string, P extends string> ="]
        for method, rows in sorted(paths.items()):
            lines.append(f'    M extends "{method}" ?')
            lines += [f"      P extends {row[0]} ? {row[place]} :" for row in rows]
            lines.append("      unknown :")
        yield "\n".join([*lines, "    unknown;\n"])


def scenes() -> list[type]:
    figures = [scene.Item, scene.Section, scene.Panel]
    return [scene.Mark, scene.Cell, scene.Wall, *figures, scene.Choice, scene.Motion, scene.Scene]


def structs(module: types.ModuleType) -> Iterator[type]:
    for each in vars(module).values():
        if isinstance(each, type) and issubclass(each, msgspec.Struct) and each.__module__ == module.__name__:
            yield each


def interface(cls: type) -> str:
    """The declaration of a struct or a dataclass."""
    info = kinds.type_info(cls)
    assert isinstance(info, kinds.StructType | kinds.DataclassType)
    request = isinstance(info, kinds.StructType) and info.forbid_unknown_fields
    lines = [f"  /** {' '.join((inspect.getdoc(cls) or '').split())} */", f"  interface {cls.__name__} {{"]
    if isinstance(info, kinds.StructType) and info.tag is not None and cls.__name__ not in ("Request", "Reply"):
        lines.append(f"    {info.tag_field}: {literal([info.tag])};")
    for field in info.fields:
        said = literal(sorted(ROLES[cls, field.name])) if (cls, field.name) in ROLES else typescript(field.type)
        lines.append(f"    {field.encode_name}{'?' if request and not field.required else ''}: {said};")
    return "\n".join([*lines, "  }", ""])


def typescript(kind: kinds.Type) -> str:
    """A type as TypeScript writes it."""
    match kind:
        case kinds.Metadata():
            return (kind.extra or {}).get("typescript") or typescript(kind.type)
        case kinds.LiteralType():
            return literal(kind.values)
        case kinds.UnionType():
            return " | ".join(map(typescript, kind.types))
        case kinds.TupleType():
            return f"[{', '.join(map(typescript, kind.item_types))}]"
        case kinds.CollectionType():
            item = typescript(kind.item_type)
            return f"({item})[]" if " " in item and not item.startswith("[") else f"{item}[]"
        case kinds.DictType():
            return f"Record<{typescript(kind.key_type)}, {typescript(kind.value_type)}>"
        case kinds.StructType() | kinds.DataclassType():
            return kind.cls.__name__
    return PLAIN[type(kind)]


def literal(values: Iterable[Any]) -> str:
    return " | ".join(f'"{each}"' if isinstance(each, str) else str(each) for each in values)


if __name__ == "__main__":
    OUT.write_text(declarations(), encoding="utf-8")
