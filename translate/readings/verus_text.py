"""A term as Verus text again: for messages, and for lemmas to paste.

In: a term. Out: an expression in Verus's syntax with as few parentheses as its precedences allow (Verus guide,
"Operators"), on one line, or broken at `&&`, `||`, `==>` and quantifiers to fit a width. Bound variables get
invented names, the same ones in every run, that hide no free variable and no function.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from translate.terms import BOOL, INT, NAT, FnSym, Sort, Term, subterms

#: How tightly a construct binds. OPEN is the context inside delimiters; a construct below its context gets parentheses.
OPEN, LOOSE, IFF, IMPLIES, OR, AND, COMPARE, BITOR, BITXOR, BITAND, SHIFT, SUM, PRODUCT, IS, UNARY, POSTFIX = range(16)

#: Symbol and precedence of the left-associative operators.
INFIX: Final = {
    "add": ("+", SUM), "sub": ("-", SUM), "seq.add": ("+", SUM), "mul": ("*", PRODUCT), "div": ("/", PRODUCT),
    "mod": ("%", PRODUCT), "shl": ("<<", SHIFT), "shr": (">>", SHIFT), "bitand": ("&", BITAND), "bitxor": ("^", BITXOR),
    "bitor": ("|", BITOR),
}  # fmt: skip

#: Operators that are methods of their first argument.
METHODS: Final = {
    "seq.len": "len", "seq.push": "push", "seq.update": "update", "seq.subrange": "subrange",
    "seq.to_multiset": "to_multiset", "set.contains": "contains", "set.insert": "insert", "set.remove": "remove",
    "set.union": "union", "set.intersect": "intersect", "set.difference": "difference", "set.complement": "complement",
    "set.finite": "finite", "set.len": "len", "map.dom": "dom", "map.insert": "insert", "map.remove": "remove",
    "multiset.count": "count", "multiset.add": "add", "multiset.sub": "sub", "multiset.len": "len",
}  # fmt: skip

#: Sorts of arguments that Verus wants exactly: an index is an `int`.
_INDEX_ARGS: Final = {"seq.index": (1,), "seq.update": (1,), "seq.subrange": (1, 2)}
#: Arguments that must have the collection's element (or key, value) sort.
_ELEMENT_ARGS: Final = {
    "seq.push": {1: 0}, "seq.update": {2: 0}, "set.contains": {1: 0}, "set.insert": {1: 0}, "set.remove": {1: 0},
    "map.index": {1: 0}, "map.insert": {1: 0, 2: 1}, "map.remove": {1: 0}, "multiset.count": {1: 0},
}  # fmt: skip

_NAMES: Final = {
    "int": "ijklmn", "char": "cde", "bool": "pqr", "seq": "stu", "set": "stu", "map": "mno", "multiset": "mno",
    "boxed": "vwu", "data": "xyz", "fn": "fgh", "opaque": "xyz",
}  # fmt: skip
_PRELUDE: Final = ("Option", "Result")
_ESCAPES: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\", "\0": "\\0", "'": "\\'"}
MAX_NODES: Final = 50_000

Names = tuple[str, ...]


def to_verus(term: Term, width: int | None = None) -> str:
    """The term as Verus text, on one line or, with `width`, on lines of about at most that many columns.

    A very large term (more than MAX_NODES nodes as a tree) is cut off with `…`; everything else is printed in full.
    """
    printer = _Printer(term, width)
    return printer.text(term, (), OPEN) if width is None else printer.block(term, (), OPEN, 0)


class _Printer:
    def __init__(self, term: Term, width: int | None) -> None:
        self.width = width or 0
        self.taken = {t.data for t in subterms(term) if t.op == "var"}
        self.taken |= {t.data.name for t in subterms(term) if t.op == "app"}
        self.left = MAX_NODES

    # --- one line ---------------------------------------------------------------------------------------------------

    def text(self, t: Term, env: Names, context: int) -> str:
        self.left -= 1
        if self.left < 0:
            return "…"
        shown, level = self.shown(t, env)
        return f"({shown})" if level < context else shown

    def joined(self, terms: Iterable[Term], env: Names) -> str:
        return ", ".join([self.text(t, env, OPEN) for t in terms])

    def as_sort(self, t: Term, sort: Sort, env: Names, context: int = OPEN) -> str:
        """The term where Verus wants that very integer type: with a cast unless it has it (a literal takes any)."""
        if t.sort is sort or not (t.sort.is_integer and sort.is_integer) or t.op == "lit":
            return self.text(t, env, context)
        shown = f"{self.text(t, env, UNARY)} as {sort}"
        return f"({shown})" if context > OPEN else shown

    def shown(self, t: Term, env: Names) -> tuple[str, int]:
        """The text of a term and how tightly it binds."""
        op, args = t.op, t.args
        if op in INFIX:
            return self._infix(t, env)
        if op in METHODS:
            return f"{self.text(args[0], env, POSTFIX)}.{METHODS[op]}({', '.join(self._arguments(t, env))})", POSTFIX
        match op:
            case "var":
                return t.data, POSTFIX
            case "bound":
                return (env[-1 - t.data] if t.data < len(env) else f"#{t.data - len(env)}"), POSTFIX
            case "lit":
                return _literal(t)
            case "word":
                return t.data, POSTFIX
            case "rec":
                return f"{t.data}({self.joined(args, env)})", POSTFIX
            case "not":
                return self._negation(args[0], env)
            case "and":
                return " && ".join(self.conjuncts(args, env)) or "true", AND if len(args) > 1 else POSTFIX
            case "or":
                return " || ".join([self.text(a, env, OR + 1) for a in args]) or "false", OR if len(args) > 1 else POSTFIX
            case "implies":
                return (
                    f"{self.text(args[0], env, OR)} ==> {self.text(args[1], env, self._consequent(args[1]))}",
                    IMPLIES,
                )
            case "ite":
                return self._ite(t, env), LOOSE
            case "eq":
                return self._equality(args, env)
            case "lt" | "le":
                sign = "<" if op == "lt" else "<="
                return f"{self.text(args[0], env, COMPARE + 1)} {sign} {self.text(args[1], env, COMPARE + 1)}", COMPARE
            case "forall" | "exists" | "choose":
                header, inner = self.binder(op, t.data, env)
                return f"{header} {self.text(args[0], inner, OPEN)}", LOOSE
            case "lambda":
                header, inner = self.binder("", t.data, env)
                return f"{header} {self.text(args[0], inner, OPEN)}", LOOSE
            case "apply":
                fn = args[0].sort
                given = [self.as_sort(a, s, env) for a, s in zip(args[1:], fn.args, strict=False)]
                return f"{self.text(args[0], env, POSTFIX)}({', '.join(given)})", POSTFIX
            case "app":
                return self._application(t.data, args, env), POSTFIX
            case "neg":
                # `-1` is a literal; the negative of a literal keeps its parentheses.
                inner_text = self.text(args[0], env, UNARY)
                return f"-({inner_text})" if args[0].op == "lit" else f"-{inner_text}", UNARY
            case "bitnot":
                return f"!{self.as_sort(args[0], t.sort, env, UNARY)}", UNARY
            case "cast":
                return f"{self.text(args[0], env, UNARY)} as {t.sort}", LOOSE
            case "ctor":
                return self._constructor(t, env), POSTFIX
            case "is":
                variant = args[0].sort.variants[t.data].name or args[0].sort.name
                return f"{self.text(args[0], env, POSTFIX)} is {variant}", IS
            case "field":
                return self.text(args[0], env, POSTFIX) + _accessor(args[0].sort, *t.data), POSTFIX
            case "view":
                return f"{self.text(args[0], env, POSTFIX)}@", POSTFIX
            case "seq.index" | "map.index":
                return f"{self.text(args[0], env, POSTFIX)}[{', '.join(self._arguments(t, env))}]", POSTFIX
            case "seq.lit" | "set.lit":
                name = t.sort.kind
                if not args:
                    return f"{name.capitalize()}::<{t.sort.args[0]}>::empty()", POSTFIX
                return f"{name}![{', '.join([self.as_sort(a, t.sort.args[0], env) for a in args])}]", POSTFIX
            case "map.lit":
                return self._map_literal(t, env), POSTFIX
            case "multiset.lit":
                head = f"Multiset::<{t.sort.args[0]}>::empty()"
                return head + "".join([f".insert({self.as_sort(a, t.sort.args[0], env)})" for a in args]), POSTFIX
            case "seq.new":
                return f"Seq::new({self.as_sort(args[0], NAT, env)}, {self.text(args[1], env, OPEN)})", POSTFIX
            case "set.new" | "map.new":
                return f"{t.sort.kind.capitalize()}::new({self.joined(args, env)})", POSTFIX
        raise KeyError(op)

    def _arguments(self, t: Term, env: Names) -> list[str]:
        """The arguments of a method or an index, after the first."""
        indices = _INDEX_ARGS.get(t.op, ())
        elements = _ELEMENT_ARGS.get(t.op, {})
        found: list[str] = []
        for i, a in enumerate(t.args[1:], 1):
            if i in indices:
                found.append(self.as_sort(a, INT, env))
            elif i in elements:
                found.append(self.as_sort(a, t.args[0].sort.args[elements[i]], env))
            else:
                found.append(self.text(a, env, OPEN))
        return found

    def _infix(self, t: Term, env: Names) -> tuple[str, int]:
        sign, level = INFIX[t.op]
        a, b = t.args
        if level in (BITAND, BITOR, BITXOR):
            left, right = self.as_sort(a, t.sort, env, level), self.as_sort(b, t.sort, env, level + 1)
        elif level == SHIFT:
            left, right = self.as_sort(a, t.sort, env, level), self.text(b, env, level + 1)
        else:
            left, right = self.text(a, env, level), self.text(b, env, level + 1)
        return f"{left} {sign} {right}", level

    def _negation(self, a: Term, env: Names) -> tuple[str, int]:
        if a.op == "eq" and a.args[0].sort is not BOOL:
            return f"{self.text(a.args[0], env, COMPARE + 1)} != {self.text(a.args[1], env, COMPARE + 1)}", COMPARE
        return f"!{self.text(a, env, UNARY)}", UNARY

    def _equality(self, args: tuple[Term, ...], env: Names) -> tuple[str, int]:
        a, b = args
        if a.sort is BOOL:
            # `==>` would not need parentheses here; people do.
            return f"{self.text(a, env, OR)} <==> {self.text(b, env, OR)}", IFF
        sign = "=~=" if a.sort.kind in ("seq", "set", "map", "multiset", "fn") else "=="
        return f"{self.text(a, env, COMPARE + 1)} {sign} {self.text(b, env, COMPARE + 1)}", COMPARE

    def _consequent(self, t: Term) -> int:
        """The context of what stands right of `==>`, where a quantifier needs no parentheses."""
        return OPEN if t.op in ("forall", "exists") else IMPLIES

    def _ite(self, t: Term, env: Names) -> str:
        c, a, b = t.args
        head = f"if {self.condition(c, env)} {{ {self.text(a, env, OPEN)} }} else"
        return f"{head} {self._ite(b, env)}" if b.op == "ite" else f"{head} {{ {self.text(b, env, OPEN)} }}"

    def condition(self, c: Term, env: Names) -> str:
        """Before a block; braces in it would be taken for the block."""
        shown = self.text(c, env, OPEN)
        return f"({shown})" if "{" in shown else shown

    def conjuncts(self, args: tuple[Term, ...], env: Names) -> list[str]:
        """The parts of a conjunction, chains of comparisons re-joined."""
        found: list[str] = []
        for chain in chains(args):
            if len(chain) == 1:
                found.append(self.text(chain[0], env, AND + 1))
                continue
            shown = self.text(chain[0].args[0], env, COMPARE + 1)
            for c in chain:
                shown += (" < " if c.op == "lt" else " <= ") + self.text(c.args[1], env, COMPARE + 1)
            found.append(shown)
        return found

    def binder(self, word: str, sorts: tuple[Sort, ...], env: Names) -> tuple[str, Names]:
        """`forall|i: int, j: int|` and the names in scope inside."""
        inner = env
        declared: list[str] = []
        for s in sorts:
            name = self.fresh(s, inner)
            inner = (*inner, name)
            declared.append(f"{name}: {s}")
        return f"{word}|{', '.join(declared)}|", inner

    def fresh(self, sort: Sort, env: Names) -> str:
        letters = _NAMES["char" if sort.name == "char" else sort.kind]
        round_ = 0
        while True:
            for c in letters:
                name = c if round_ == 0 else f"{c}{round_}"
                if name not in env and name not in self.taken:
                    return name
            round_ += 1

    def _application(self, sym: FnSym, args: tuple[Term, ...], env: Names) -> str:
        given = list(zip(args, sym.params, strict=False))
        if sym.method and args:
            rest = ", ".join([self.as_sort(a, s, env) for a, s in given[1:]])
            return f"{self.text(args[0], env, POSTFIX)}.{sym.name.rsplit('::', 1)[-1]}({rest})"
        return f"{sym.name}({', '.join([self.as_sort(a, s, env) for a, s in given])})"

    def _constructor(self, t: Term, env: Names) -> str:
        sort = t.sort
        variant = sort.variants[t.data]
        parts = [self.as_sort(a, f.sort, env) for a, f in zip(t.args, variant.fields, strict=True)]
        name = sort.name.rsplit("::", 1)[-1]
        if sort.name == "tuple":
            return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
        head = name if sort.is_struct else variant.name if name in _PRELUDE else f"{name}::{variant.name}"
        if not parts:
            return head
        if variant.fields[0].name.isdigit():
            return f"{head}({', '.join(parts)})"
        return f"{head} {{ {', '.join([f'{f.name}: {p}' for f, p in zip(variant.fields, parts, strict=True)])} }}"

    def _map_literal(self, t: Term, env: Names) -> str:
        key, value = t.sort.args
        if not t.args:
            return f"Map::<{key}, {value}>::empty()"
        entries = [
            f"{self.as_sort(k, key, env)} => {self.as_sort(v, value, env)}"
            for k, v in zip(t.args[::2], t.args[1::2], strict=True)
        ]
        return f"map![{', '.join(entries)}]"

    # --- several lines ----------------------------------------------------------------------------------------------

    def block(self, t: Term, env: Names, context: int, indent: int) -> str:
        """The text of a term whose first line starts in column `indent`; later lines bring their own indentation."""
        spent = self.left
        shown = self.text(t, env, context)
        if indent + len(shown) <= self.width:
            return shown
        self.left = spent
        level = {"and": AND, "or": OR, "implies": IMPLIES, "forall": LOOSE, "exists": LOOSE, "ite": LOOSE}.get(t.op)
        if level is None:
            return shown
        if level < context:
            return f"({self.block(t, env, OPEN, indent + 1)})"
        deeper = indent + 4
        line = "\n" + " " * deeper
        match t.op:
            case "and":
                parts: list[str] = []
                for chain in chains(t.args):
                    if len(chain) == 1:
                        parts.append(self.block(chain[0], env, AND + 1, deeper + 3 if parts else indent))
                    else:
                        parts.extend(self.conjuncts(tuple(chain), env))
                return (line + "&& ").join(parts)
            case "or":
                branches = [self.block(a, env, OR + 1, deeper + 3 if i else indent) for i, a in enumerate(t.args)]
                return (line + "|| ").join(branches)
            case "implies":
                left = self.block(t.args[0], env, OR, indent)
                return f"{left}{line}==> {self.block(t.args[1], env, self._consequent(t.args[1]), deeper + 4)}"
            case "ite":
                c, a, b = t.args
                head = f"if {self.condition(c, env)} {{{line}{self.block(a, env, OPEN, deeper)}\n{' ' * indent}}} else "
                if b.op == "ite":
                    return head + self.block(b, env, OPEN, indent)
                return f"{head}{{{line}{self.block(b, env, OPEN, deeper)}\n{' ' * indent}}}"
        header, inner = self.binder(t.op, t.data, env)
        return f"{header}{line}{self.block(t.args[0], inner, OPEN, deeper)}"


def chains(args: tuple[Term, ...]) -> list[list[Term]]:
    """Neighbouring comparisons `a < b`, `b <= c`, … of a conjunction in one list each, other parts in lists of one."""
    found: list[list[Term]] = []
    for a in args:
        last = found[-1][-1] if found else None
        if last is not None and last.op in ("lt", "le") and a.op in ("lt", "le") and last.args[1] is a.args[0]:
            found[-1].append(a)
        else:
            found.append([a])
    return found


def _literal(t: Term) -> tuple[str, int]:
    if isinstance(t.data, bool):
        return ("true" if t.data else "false"), POSTFIX
    if t.sort.name == "char":
        c = chr(t.data)
        if c in _ESCAPES:
            return f"'{_ESCAPES[c]}'", POSTFIX
        return (f"'{c}'" if c.isprintable() else f"'\\u{{{t.data:x}}}'"), POSTFIX
    return str(t.data), POSTFIX if t.data >= 0 else UNARY


def _accessor(sort: Sort, variant: int, index: int) -> str:
    """`.f` of a struct or tuple, `->f` of an enum (`->Variant_f` where several variants have that field)."""
    name = sort.variants[variant].fields[index].name
    if sort.is_struct or sort.name == "tuple":
        return f".{name}"
    shared = sum(f.name == name for v in sort.variants for f in v.fields) > 1
    return f"->{sort.variants[variant].name}_{name}" if shared else f"->{name}"
