"""Syntax trees as short text, so that a test can say what it expects on one line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from translate import syntax as sx
from translate.parser import parse_expr_from, parse_file, parse_type_from
from translate.source import from_text
from translate.tokens import tokenize


def file_of(text: str) -> sx.File:
    return parse_file(from_text("t.rs", text))


def verus(text: str) -> list[sx.Item]:
    """The items of `text` inside `verus!`, which must parse without a problem."""
    file = file_of("verus! {\n" + text + "\n}")
    assert file.problems == [], [(p.construct, p.message) for p in file.problems]
    return file.items


def function(text: str) -> sx.Fn:
    """The one function in `text`."""
    (item,) = verus(text)
    assert isinstance(item, sx.Fn)
    return item


def expr(text: str) -> str:
    return shape(expr_node(text))


def expr_node(text: str) -> sx.Expr:
    tokens, problems = tokenize(from_text("e.rs", f"verus! {{{text}}}"))
    assert problems == []
    inside = tokens[2]
    return parse_expr_from(inside.children)  # type: ignore[attr-defined]


def type_shape(text: str) -> str:
    tokens, _ = tokenize(from_text("t.rs", f"verus! {{{text}}}"))
    return shape(parse_type_from(tokens[2].children))  # type: ignore[attr-defined]


def nodes(root: object) -> Iterator[sx.Node]:
    """Every node of a tree, the root first."""
    stack = [root]
    while stack:
        item = stack.pop()
        if isinstance(item, list | tuple) and not isinstance(item, sx.Span):
            stack.extend(item)
        elif isinstance(item, sx.Node):
            yield item
            stack.extend(getattr(item, f.name) for f in fields(item))


def shape(node: object) -> str:
    """Operators in prefix form, everything else by class name and fields that are not empty."""
    match node:
        case sx.Literal(kind="bool"):
            return str(node.value).lower()
        case sx.Literal():
            return f"{node.value!r}{node.suffix}"
        case sx.PathExpr() | sx.PathType() | sx.PathPat():
            return shape(node.path)
        case sx.Path():
            return path_shape(node)
        case sx.Binary() | sx.Assign():
            return f"({node.op} {shape(node.left)} {shape(node.right)})"
        case sx.Unary():
            return f"({node.op} {shape(node.operand)})"
        case sx.Chain():
            links = " ".join(f"{op} {shape(e)}" for op, e in zip(node.ops, node.rest, strict=True))
            return f"(chain {shape(node.first)} {links})"
        case sx.BigOp():
            return f"({node.op} {' '.join(map(shape, node.operands))})"
        case sx.Call():
            return f"{shape(node.func)}({', '.join(map(shape, node.args))})"
        case sx.MethodCall():
            turbofish = shape(node.generics) if node.generics else ""
            return f"{shape(node.receiver)}.{node.name}{turbofish}({', '.join(map(shape, node.args))})"
        case sx.Field():
            return f"{shape(node.base)}.{node.name}"
        case sx.Arrow():
            return f"{shape(node.base)}->{node.name}"
        case sx.View():
            return f"{shape(node.base)}@"
        case sx.Index():
            return f"{shape(node.base)}[{shape(node.index)}]"
        case sx.Cast():
            return f"(as {shape(node.operand)} {shape(node.type)})"
        case sx.Is():
            return f"({'!is' if node.negated else 'is'} {shape(node.operand)} {shape(node.path)})"
        case sx.Has():
            return f"({'!has' if node.negated else 'has'} {shape(node.operand)} {shape(node.element)})"
        case sx.Matches():
            return f"(matches {shape(node.operand)} {shape(node.pattern)})"
        case sx.Borrow():
            return f"({'&mut' if node.mutable else '&'} {shape(node.operand)})"
        case sx.Range():
            op = "..=" if node.inclusive else ".."
            return f"({op} {shape(node.low)} {shape(node.high)})"
        case sx.Quantifier():
            triggers = "".join(f" trigger[{', '.join(map(shape, group))}]" for group in node.triggers)
            return f"({node.kind} [{', '.join(map(shape, node.binders))}]{triggers} {shape(node.body)})"
        case sx.Closure():
            return f"(|{', '.join(map(shape, node.params))}| {shape(node.body)})"
        case sx.Binder():
            of = f": {shape(node.type)}" if node.type else ""
            return f"{node.mode + ' ' if node.mode else ''}{shape(node.pattern)}{of}"
        case sx.IdentPat():
            sub = f" @ {shape(node.sub)}" if node.sub else ""
            return ("ref " if node.by_ref else "") + ("mut " if node.mutable else "") + node.name + sub
        case sx.WildPat() | sx.InferType():
            return "_"
        case sx.RestPat():
            return ".."
        case sx.TupleStructPat():
            return f"{shape(node.path)}({', '.join(map(shape, node.elems))})"
        case sx.TuplePat() | sx.TupleExpr() | sx.TupleType():
            return f"({''.join(shape(e) + ', ' for e in node.elems).strip()})"
        case sx.RefType():
            return f"&{'mut ' if node.mutable else ''}{shape(node.inner)}"
        case sx.GenericArgs(parenthesised=True):
            return f"({', '.join(map(shape, node.args))})" + (f" -> {shape(node.output)}" if node.output else "")
        case sx.GenericArgs():
            args = [shape(a) for a in node.args] + [f"{n} = {shape(t)}" for n, t in node.bindings]
            return f"<{', '.join(args)}>"
        case sx.Attr():
            return f"#[{node.text}]"
        case sx.AttrExpr():
            return f"{''.join(map(shape, node.attrs))}{shape(node.operand)}"
        case sx.Block():
            inside = "; ".join([*map(shape, node.stmts), *([shape(node.tail)] if node.tail else [])])
            return f"{node.kind}{{{inside}}}"
        case sx.ExprStmt():
            return shape(node.expr)
        case None:
            return "-"
        case list():
            return f"[{', '.join(map(shape, node))}]"
        case tuple():
            return f"({', '.join(map(shape, node))})"
        case sx.Node():
            values = [getattr(node, f.name) for f in fields(node) if f.name != "span"]
            return f"{type(node).__name__}({', '.join(shape(v) for v in values if v not in (None, '', [], False))})"
        case _:
            return str(node)


def path_shape(path: sx.Path) -> str:
    text = "::".join(s.name + (shape(s.args) if s.args else "") for s in path.segments)
    if path.qself is not None:
        trait = f" as {shape(path.qself_trait)}" if path.qself_trait else ""
        return f"<{shape(path.qself)}{trait}>::{text}"
    return ("::" if path.rooted else "") + text
