"""Contracts given from outside: `assume_specification`, `external_fn_specification`, and their kin for types.

In: the crate behind a `CallGraph`. Out: for a function (of the crate, or of a library) the item that states its contract, so
that a call leads there and not into code that Verus does not read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from depgraph.attributes import has_word
from depgraph.receivers import Env, Ty, generics_env, promises, read_type, same_head
from translate import syntax as sx
from translate.names import Module, Ref
from translate.parser import ParseFailure, body_of

if TYPE_CHECKING:
    from depgraph.graph import CallGraph

Spec = sx.AssumeSpecification | sx.Fn


class Specifications:
    def __init__(self, graph: CallGraph) -> None:
        self._crate = graph.crate
        self._by_item: dict[int, Spec] = {}
        self._by_path: dict[str, Spec] = {}
        self._by_method: dict[str, list[tuple[str | None, Spec]]] = {}
        self._by_name: dict[str, list[Spec]] = {}
        #: those of methods of traits, which code may call without naming them
        self.implicit: list[Spec] = []
        self._refs: dict[int, Ref] = {}
        self._types: dict[str, Ref] = {}
        for item, module in self._crate.specifications:
            path = f"{module.path}::assume_specification[{item.path.text}]"
            self._note(item, item.path, item.generics, Ref(path, item, module, self._crate), module)
        for ref in self._crate.functions:
            if isinstance(ref.item, sx.Fn) and ref.module is not None and has_word(ref.item.attrs, "external_fn_specification"):
                callee = _callee(ref.item)
                if callee is not None:
                    self._note(ref.item, callee, ref.item.generics, ref, ref.module)
        for ref in self._crate.all_refs():
            if isinstance(ref.item, sx.Struct) and has_word(ref.item.attrs, "external_type_specification"):
                if ref.item.fields and isinstance(ref.item.fields[0].type, sx.PathType):
                    self._types[ref.item.fields[0].type.path.segments[-1].name] = ref

    def _note(self, item: Spec, path: sx.Path, generics: sx.Generics, ref: Ref, module: Module) -> None:
        self._refs[id(item)] = ref
        names = [s.name for s in path.segments]
        if path.qself_trait is not None and promises(item.clauses):
            self.implicit.append(item)
        env = Env(self._crate, module)
        generics_env(env, generics)
        if path.qself is not None:
            t = read_type(path.qself, env)
            self._by_method.setdefault(names[-1], []).append((None if t is None or "param:" in t.head else t.head, item))
            return
        found = self._crate.resolve(names, module, "values")
        if found is not None and isinstance(found.item, sx.Fn):
            self._by_item[id(found.item)] = item
            return
        if len(names) > 1:
            prefix = sx.PathType(path.span, sx.Path(path.span, path.segments[:-1]))
            resolved = self._crate.resolve(names[:-1], module, "types")
            t = read_type(prefix, env)
            if t is not None and not (resolved is not None and isinstance(resolved.item, Module)):
                self._by_method.setdefault(names[-1], []).append((t.head, item))
                if resolved is not None and resolved.crate is self._crate:
                    return
        if found is None:  # what an `extern` block declares, for one: no text defines it
            self._by_name.setdefault(names[-1], []).append(item)
        self._by_path[_key(found.path if found is not None else "::".join(names))] = item

    def ref(self, item: Spec) -> Ref:
        return self._refs[id(item)]

    def of_item(self, item: sx.Fn) -> Spec | None:
        """The specification of a function of the crate."""
        return self._by_item.get(id(item))

    def of_path(self, path: str) -> Spec | None:
        """The specification of a library function, by its full path; std, core and alloc are one."""
        found = self._by_path.get(_key(path))
        if found is not None:
            return found
        parts = path.rsplit("::", 2)
        if len(parts) == 3:
            for head, item in self._by_method.get(parts[2], ()):
                if head is not None and head.rsplit("::", 1)[-1] == parts[1]:
                    return item
        return None

    def of_unknown(self, name: str) -> list[Spec]:
        """The specifications of functions that nothing in the crate defines, by their last name."""
        return self._by_name.get(name, [])

    def of_method(self, t: Ty | None, name: str) -> list[Spec]:
        """The specifications that a method call may have, by the receiver's type. A library's type may be looked through, as a
        vector is as a slice: where none is given for the type itself, all count."""
        entries = self._by_method.get(name, ())
        found = [item for head, item in entries if head is None or t is None or same_head(head, t.head)]
        if not found and t is not None and not t.head.startswith(("crate::", "param:", "dyn:", "closure")):
            return [item for _, item in entries]
        return found

    def of_type(self, name: str) -> Ref | None:
        """The item that declares a library's type to Verus."""
        return self._types.get(name)


def _key(path: str) -> str:
    root, _, rest = path.partition("::")
    return rest if root in ("std", "core", "alloc", "vstd") and rest else path


def _callee(fn: sx.Fn) -> sx.Path | None:
    """What the body of an `external_fn_specification` calls."""
    try:
        body = body_of(fn)
    except ParseFailure:
        return None
    e = None if body is None else body.tail
    while isinstance(e, sx.Block):
        e = e.tail
    if isinstance(e, sx.Call) and isinstance(e.func, sx.PathExpr):
        return e.func.path
    if isinstance(e, sx.MethodCall) and fn.params:
        t = fn.params[0].type
        while isinstance(t, sx.RefType):
            t = t.inner
        segment = sx.PathSegment(e.span, e.name)
        return sx.Path(e.span, [segment], qself=t) if t is not None else None
    return None
