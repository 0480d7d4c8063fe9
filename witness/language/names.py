"""Names in candidates: parameters, constants, constructors, calls, methods.

In: the syntax of a path or call. Out: typed nodes, or `NotAllowed`.
"""

from __future__ import annotations

from translate import syntax as sx
from translate import terms as tm
from translate.elaborate.inference import Unsupported
from translate.elaborate.laws import type_invariants
from translate.readings.evaluate import evaluate
from translate.readings.outcomes import EvaluationError
from translate.terms import BOOL, Sort
from witness import methods
from witness.expressions import Constant, Constructor, Node
from witness.language.base import Base, Locals, has_hole, is_comparable, is_plain


class Names(Base):
    def is_open(self, e: sx.Expr) -> bool:
        """Whether an expression takes its type from around it."""
        raise NotImplementedError

    # --- names -----------------------------------------------------------------------------------------------------------

    def path(self, e: sx.PathExpr, want: Sort | None, env: Locals) -> Node:
        p = e.path
        names = [s.name for s in p.segments]
        plain = len(names) == 1 and p.qself is None and not p.rooted
        if plain and names[0] in env:
            return Node("local", (), env[names[0]], names[0], e.span)
        if plain and names[0] in self.params:
            return Node("param", (), self.params[names[0]], names[0], e.span)
        if p.qself is None:
            crate, module = self.opened.crate, self.opened.types.module
            ref = crate.resolve(names, module, "values") if names[0] not in ("Self", *self.opened.types.generics) else None
            if ref is not None and isinstance(ref.item, sx.Const):
                return self.constant(e, ref.item)
            if ref is not None and isinstance(ref.item, sx.Variant | sx.Struct):
                return self.construct(p, [], want, env, e)
            if len(names) == 2 and (names[0] in tm.INT_KINDS and names[1] in ("MAX", "MIN", "BITS")):
                return self.constant(e, None)
            if len(names) == 2 and names[0] == "Self" and self.opened.types.self_sort is not None:
                return self.construct(p, [], want, env, e)
        known = ", ".join(f"`{n}`" for n in self.params) or "none"
        raise self.problem(f"`{p.text}` is no parameter and no constant (parameters: {known})", e)

    def constant(self, e: sx.PathExpr, item: sx.Const | None) -> Node:
        if item is not None and (item.mode in ("spec", "proof") or item.static):
            kind = "static" if item.static else item.mode
            raise self.problem(f"`{item.name}` is a {kind} item: it is no constant of the program", e)
        try:
            term, sort = self.el.calls.path(e, self.scope, None)
            term, sort = self.el.finish(term), self.el.inference.zonk(sort, tm.int_sort("i32"))
            value = evaluate(term, {}, budget=10_000, usize_bits=self.opened.word)
        except (Unsupported, EvaluationError):
            raise self.problem(f"`{e.path.text}` has a value that is not known here", e) from None
        if not (sort.is_integer or sort is BOOL):
            raise self.problem(f"a constant of type `{sort}` is not allowed in a candidate", e)
        return Node("const", (), sort, Constant(e.path.text, term, value), e.span)

    def construct(self, p: sx.Path, args: list[sx.Expr], want: Sort | None, env: Locals, at: sx.Node) -> Node:
        """`Some(x)`, `Door::Open`, `Point(x, y)`"""
        sort, variant = self.variant(p, want, at)
        fields = sort.variants[variant].fields
        if len(fields) != len(args) or any(not f.name.isdigit() for f in fields):
            raise self.problem(f"`{p.text}` takes {len(fields)} value{'' if len(fields) == 1 else 's'}"
                      f"{' by name' if fields and not fields[0].name.isdigit() else ''}", at)  # fmt: skip
        parts = tuple(self.expr(a, None if has_hole(f.sort) else f.sort, env) for a, f in zip(args, fields, strict=True))
        return self.made(p, sort, variant, parts, (), at)

    def struct(self, e: sx.StructExpr, want: Sort | None, env: Locals) -> Node:
        if e.base is not None:
            raise self.problem("`..base` is not allowed in a candidate: give every field", e)
        sort, variant = self.variant(e.path, want, e)
        given = dict(e.fields)
        fields = sort.variants[variant].fields
        if sorted(given) != sorted(f.name for f in fields) or len(given) != len(e.fields):
            raise self.problem(f"`{e.path.text}` has the fields {', '.join(f.name for f in fields) or 'none'}: give each once", e)
        parts = tuple(self.expr(given[f.name], None if has_hole(f.sort) else f.sort, env) for f in fields)
        return self.made(e.path, sort, variant, parts, tuple(f.name for f in fields), e)

    def variant(self, p: sx.Path, want: Sort | None, at: sx.Node) -> tuple[Sort, int]:
        try:
            return self.el.calls.variant_of_path(p, want, self.scope)
        except Unsupported as problem:
            raise self.problem(problem.construct, at) from None

    def made(self, p: sx.Path, sort: Sort, variant: int, parts: tuple[Node, ...], names: tuple[str, ...], at: sx.Node) -> Node:
        for part, f in zip(parts, sort.variants[variant].fields, strict=True):
            if not self.el.inference.unify(f.sort, part.sort):
                raise self.problem(f"`{p.text}` of a value of type `{part.sort}`", at)
        sort = self.el.inference.zonk(sort)
        if has_hole(sort):
            raise self.problem(f"the type of `{p.text}` is not known here", at)
        for part, f in zip(parts, sort.variants[variant].fields, strict=True):
            if f.sort is not part.sort:
                raise self.problem(f"`{p.text}` of a value of type `{part.sort}`, where `{f.sort}` is wanted", at)
            self.executable(f.sort, at)
        if type_invariants(self.el, [sort]):
            raise self.problem(f"`{sort}` has a type invariant: making one is not allowed in a candidate", at)
        return Node("ctor", parts, sort, Constructor(self.shown(p), variant, names), at.span)

    # --- calls -----------------------------------------------------------------------------------------------------------

    def call(self, e: sx.Call, want: Sort | None, env: Locals) -> Node:
        if not isinstance(e.func, sx.PathExpr):
            raise self.problem("a call of a value is not allowed in a candidate", e)
        p = e.func.path
        names = [s.name for s in p.segments]
        crate, module = self.opened.crate, self.opened.types.module
        if names[-2:] in (["Vec", "new"], ["String", "new"]) and not e.args:
            return self.new(e, names[-2], want)
        ref = crate.resolve(names, module, "values") if names[0] != "Self" else None
        if ref is not None and isinstance(ref.item, sx.Variant | sx.Struct):
            return self.construct(p, e.args, want, env, e)
        if self.is_self(names, ref.item if ref is not None else None):
            return self.recursion(e.args, p.text, env, e)
        raise self.problem(f"a call of `{p.text}` is not allowed in a candidate: constructors and methods of std are", e)

    def is_self(self, names: list[str], item: object) -> bool:
        """Whether a path names the very function whose body the candidate would be."""
        if item is self.opened.fn:
            return True
        if names[-1] != self.opened.fn.name or len(names) != 2 or self.opened.types.self_sort is None:
            return False
        return names[0] in ("Self", self.opened.types.self_sort.name)

    def recursion(self, args: list[sx.Expr], text: str, env: Locals, at: sx.Node) -> Node:
        sorts = [p.sort for p in self.opened.parameters()]
        if len(args) != len(sorts):
            raise self.problem(f"`{text.lstrip(chr(46))}` takes {len(sorts)} arguments", at)
        parts = tuple(self.typed(a, s, env, "the argument") for a, s in zip(args, sorts, strict=True))
        return Node("self", parts, self.opened.result_sort or tm.UNIT, text, at.span)

    def new(self, e: sx.Call, name: str, want: Sort | None) -> Node:
        """`Vec::new()`, `String::new()`: of std, and empty."""
        crate, module = self.opened.crate, self.opened.types.module
        ref = crate.resolve([name], module, "types")
        if ref is not None and ref.crate is crate:
            raise self.problem(f"`{name}` is a type of the file: a call of its functions is not allowed in a candidate", e)
        if want is None or want.kind != "boxed" or want.name != name:
            raise self.problem(f"`{name}::new()` where another type is wanted", e)
        return Node("new", (), want, f"{name}::new()", e.span)

    def method(self, e: sx.MethodCall, want: Sort | None, env: Locals) -> Node:
        if e.generics is not None:
            raise self.problem("a method with type arguments is not allowed in a candidate", e)
        hint = want if self.is_open(e.receiver) else None
        receiver = self.expr(e.receiver, hint, env)
        if e.name == self.opened.fn.name and receiver.sort is self.opened.types.self_sort and self.opened.fn.params:
            if self.opened.fn.params[0].self_kind is not None:
                return self.recursion([e.receiver, *e.args], f".{e.name}", env, e)
        found = methods.find(receiver.sort, e.name)
        if found is None:
            names = sorted(n for f in methods.families(receiver.sort) for (family, n) in methods.METHODS if family == f)
            listed = ", ".join(names) or "none"
            raise self.problem(f"the method `{e.name}` of `{receiver.sort}` is not allowed in a candidate (allowed: {listed})", e)
        if self.is_taken(e.name):
            raise self.problem(f"the file gives a type a method `{e.name}` by a trait: which one is meant is not known here", e)
        if found.name in ("clone", "to_vec") and not is_plain(receiver.sort.element):
            raise self.problem(f"`{e.name}` of elements of type `{receiver.sort.element}` is not allowed in a candidate", e)
        if found.name == "contains" and not is_comparable(receiver.sort.element):
            raise self.problem(f"`{e.name}` of elements of type `{receiver.sort.element}` is not allowed in a candidate", e)
        if len(e.args) != len(found.params):
            raise self.problem(f"`{e.name}` takes {len(found.params)} argument{'' if len(found.params) == 1 else 's'}", e)
        args = []
        for a, kind in zip(e.args, found.params, strict=True):
            if kind == "any":
                hint = want.args[0] if want is not None and want.name == "Option" and want.args else None
                args.append(self.expr(a, hint, env))
            else:
                args.append(self.typed(a, methods.named(receiver.sort, kind), env, f"the argument of `{e.name}`"))
        result = methods.named(receiver.sort, found.result, args[0].sort if args else None)
        return Node("method", (receiver, *args), result, found, e.span)

    def is_taken(self, name: str) -> bool:
        """Whether a trait of the file has a method of this name, which could be the one that Rust takes."""
        for refs in self.opened.crate.traits.values():
            for ref in refs:
                assert isinstance(ref.item, sx.Trait)
                if any(isinstance(i, sx.Fn) and i.name == name for i in ref.item.items):
                    return True
        return False

