"""A term as Verus text again: for messages, and for lemmas to paste.

In: a term. Out: an expression in Verus's syntax with as few parentheses as its precedences allow (Verus guide,
"Operators"), on one line, or broken at `&&`, `||`, `==>` and quantifiers to fit a width. Bound variables get
invented names, the same ones in every run, that hide no free variable and no function.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from translate.terms import BINDERS, BOOL, INT, NAT, FnSym, Sort, Term, subterms

#: How tightly a construct binds. OPEN is the context inside delimiters; a construct below its context gets parentheses.
OPEN, LOOSE, IFF, IMPLIES, OR, AND, COMPARE, BITOR, BITXOR, BITAND, SHIFT, SUM, PRODUCT, IS, UNARY, POSTFIX = range(16)

#: Symbol and precedence of the left-associative operators.
INFIX: Final = {
    "add": ("+", SUM), "sub": ("-", SUM), "seq.add": ("+", SUM), "mul": ("*", PRODUCT), "div": ("/", PRODUCT),
    "mod": ("%", PRODUCT), "shl": ("<<", SHIFT), "shr": (">>", SHIFT), "bitand": ("&", BITAND), "bitxor": ("^", BITXOR),
    "bitor": ("|", BITOR),
}  # fmt: skip

#: Operators that lead from naturals to naturals.
NATURAL: Final = ("add", "mul", "div", "mod")

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

#: What is no trigger of a quantifier.
_PLAIN: Final = frozenset(
    "var bound lit word not and or implies ite eq forall exists choose lambda add sub mul neg div mod lt le cast".split()
)

Names = tuple[str, ...]


class Naming:
    """What things are called in a text. This one calls them by their own names, for messages; `equiv.lemmas` has one for files
    that are to be compiled."""

    #: Whether the text is to be read by a compiler: then every literal and branch gets the type that its context wants.
    exact = False

    def variable(self, t: Term) -> str:
        return str(t.data)

    def function(self, sym: FnSym) -> tuple[str, bool]:
        """The name, and whether it is called as a method."""
        return (_without_arguments(sym.name).rsplit("::", 1)[-1], True) if sym.method else (sym.name, False)

    def sort(self, s: Sort) -> str:
        return str(s)

    def data(self, s: Sort) -> str:
        """The name of a datatype without its arguments."""
        return s.name.rsplit("::", 1)[-1]

    def pointer(self, s: Sort, variant: int, index: int) -> str:
        """The pointer type (`Box`) that a field has in the source text and that terms see through; "" for none."""
        return ""

    def taken(self) -> Iterable[str]:
        """Names that no bound variable may have."""
        return ()


def to_verus(
    term: Term, width: int | None = None, *, names: Naming | None = None, sort: Sort | None = None, indent: int = 0
) -> str:
    """The term as Verus text, on one line or, with `width`, on lines of about at most that many columns.

    `sort` is the type that the context wants, `indent` the column in which the text starts. A very large term (more than
    MAX_NODES nodes as a tree) is cut off with `…`; everything else is printed in full.
    """
    printer = _Printer(term, width, names or Naming())
    if sort is not None and printer.needs_cast(term, sort):
        return printer.as_sort(term, sort, ())
    return printer.text(term, (), OPEN) if width is None else printer.block(term, (), OPEN, indent)


def static_sort(t: Term) -> Sort:
    """The type that Verus gives an expression: that of sums, products, quotients and remainders of naturals is `nat`."""
    if t.op in NATURAL:
        return NAT if all((a.op == "lit" and a.data >= 0) or static_sort(a) is NAT for a in t.args) else INT
    return t.sort


def _never_negative(t: Term) -> bool:
    if t.op in NATURAL:
        return all(map(_never_negative, t.args))
    return bool(t.data >= 0) if t.op == "lit" else t.sort.name[0] in "nu"


def _without_arguments(name: str) -> str:
    """A function's name without the type arguments that stand behind it."""
    if not name.endswith(">") or name.endswith("->"):
        return name
    depth = 0
    for i in range(len(name) - 1, -1, -1):
        arrow = name[i] == ">" and i > 0 and name[i - 1] == "-"
        depth += 0 if arrow else (name[i] == ">") - (name[i] == "<")
        if depth == 0:
            return name[:i] or name
    return name


class _Printer:
    def __init__(self, term: Term, width: int | None, names: Naming) -> None:
        self.width = width or 0
        self.names = names
        self.taken = {names.variable(t) for t in subterms(term) if t.op == "var"}
        self.taken |= {names.function(t.data)[0] for t in subterms(term) if t.op == "app"}
        self.taken.update(names.taken())
        self.left = MAX_NODES
        #: the next term to be marked as a trigger, and how many variables are bound around it
        self.trigger: tuple[Term, int] | None = None

    # --- one line ---------------------------------------------------------------------------------------------------

    def text(self, t: Term, env: Names, context: int) -> str:
        self.left -= 1
        if self.left < 0:
            return "…"
        shown, level = self.shown(t, env)
        if self.trigger is not None and self.trigger == (t, len(env)):
            self.trigger = None
            return f"(#[trigger] ({shown}))" if context > COMPARE + 1 else f"#[trigger] ({shown})"
        return f"({shown})" if level < context else shown

    def joined(self, terms: Iterable[Term], env: Names) -> str:
        return ", ".join([self.text(t, env, OPEN) for t in terms])

    def as_sort(self, t: Term, sort: Sort, env: Names, context: int = OPEN) -> str:
        """The term where Verus wants that very integer type: with a cast unless it has it (a literal takes any)."""
        if not self.needs_cast(t, sort):
            return self.text(t, env, context)
        if self.names.exact and sort is NAT and t.op in NATURAL and all(map(_never_negative, t.args)):
            sign, level = INFIX[t.op]
            left, right = (self.as_sort(a, NAT, env, level + i) for i, a in enumerate(t.args))
            return f"({left} {sign} {right})" if level < context else f"{left} {sign} {right}"
        shown = f"{self.text(t, env, UNARY)} as {sort}"
        return f"({shown})" if context > OPEN else shown

    def needs_cast(self, t: Term, sort: Sort) -> bool:
        return t.sort.is_integer and sort.is_integer and t.op != "lit" and static_sort(t) is not sort

    def typed(self, t: Term, sort: Sort, env: Names, context: int = OPEN) -> str:
        """The term where nothing but itself tells its type: in an exact text a literal says it."""
        if self.names.exact and t.op == "lit" and sort.is_integer and sort.name not in ("int", "char"):
            return f"{t.data}{sort}" if t.data >= 0 and sort.name != "nat" else f"({t.data} as {sort})"
        return self.as_sort(t, sort, env, context)

    def shown(self, t: Term, env: Names) -> tuple[str, int]:
        """The text of a term and how tightly it binds."""
        op, args = t.op, t.args
        if op in INFIX:
            return self._infix(t, env)
        if op in METHODS:
            return f"{self.text(args[0], env, POSTFIX)}.{METHODS[op]}({', '.join(self._arguments(t, env))})", POSTFIX
        match op:
            case "var":
                return self.names.variable(t), POSTFIX
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
                self._mark(t, inner)
                return f"{header} {self.text(args[0], inner, OPEN)}", LOOSE
            case "lambda":
                header, inner = self.binder("", t.data, env)
                return f"{header} {self.branch(args[0], t.sort.args[-1], inner)}", LOOSE
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
                return f"!{self.typed(args[0], t.sort, env, UNARY)}", UNARY
            case "cast":
                return f"{self.text(args[0], env, UNARY)} as {t.sort}", LOOSE
            case "ctor":
                return self._constructor(t, env), POSTFIX
            case "is":
                variant = args[0].sort.variants[t.data].name or args[0].sort.name
                return f"{self.text(args[0], env, POSTFIX)} is {variant}", IS
            case "field":
                base, accessor = self.text(args[0], env, POSTFIX), _accessor(args[0].sort, *t.data)
                if re.search(r"[.>]\d+$", base) and accessor[1:].isdigit():
                    base = f"({base})"  # `x.0.1` would hold the number 0.1
                part = base + accessor
                return (f"*{part}", UNARY) if self.names.pointer(args[0].sort, *t.data) else (part, POSTFIX)
            case "view":
                return f"{self.text(args[0], env, POSTFIX)}@", POSTFIX
            case "seq.index" | "map.index":
                return f"{self.text(args[0], env, POSTFIX)}[{', '.join(self._arguments(t, env))}]", POSTFIX
            case "seq.lit" | "set.lit":
                name = t.sort.kind
                if not args:
                    return f"{name.capitalize()}::<{self.names.sort(t.sort.args[0])}>::empty()", POSTFIX
                return f"{name}![{', '.join([self.typed(a, t.sort.args[0], env) for a in args])}]", POSTFIX
            case "map.lit":
                return self._map_literal(t, env), POSTFIX
            case "multiset.lit":
                head = f"Multiset::<{self.names.sort(t.sort.args[0])}>"
                if len(args) == 1:
                    return f"{head}::singleton({self.as_sort(args[0], t.sort.args[0], env)})", POSTFIX
                inserted = [f".insert({self.as_sort(a, t.sort.args[0], env)})" for a in args]
                return f"{head}::empty()" + "".join(inserted), POSTFIX
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
            left, right = self.typed(a, t.sort, env, level), self.typed(b, t.sort, env, level + 1)
        elif level == SHIFT:
            left, right = self.typed(a, t.sort, env, level), self.text(b, env, level + 1)
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
        head = f"if {self.condition(c, env)} {{ {self.branch(a, t.sort, env)} }} else"
        if b.op == "ite" and not (self.names.exact and self.needs_cast(b, t.sort)):
            return f"{head} {self._ite(b, env)}"
        return f"{head} {{ {self.branch(b, t.sort, env)} }}"

    def branch(self, t: Term, sort: Sort, env: Names) -> str:
        """A branch of an `if`, or the body of a closure: in an exact text it has the type of the whole."""
        if not self.names.exact:
            return self.text(t, env, OPEN)
        return self.as_sort(t, sort, env) if sort.name == "nat" else self.typed(t, sort, env)

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
            declared.append(f"{name}: {self.names.sort(s)}")
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
        if sym.kind == "uninterpreted" and sym.name.startswith('"'):
            return string_literal(sym.name[1:-1])
        if sym.kind == "uninterpreted" and sym.name == "array":
            return f"[{', '.join([self.typed(a, sym.result.element, env) for a in args])}]"
        name, method = self.names.function(sym)
        if method and args:
            rest = ", ".join([self.as_sort(a, s, env) for a, s in given[1:]])
            return f"{self.text(args[0], env, POSTFIX)}.{name}({rest})"
        return f"{name}({', '.join([self.as_sort(a, s, env) for a, s in given])})"

    def _constructor(self, t: Term, env: Names) -> str:
        sort = t.sort
        variant = sort.variants[t.data]
        parts = [self.as_sort(a, f.sort, env) for a, f in zip(t.args, variant.fields, strict=True)]
        pointers = [self.names.pointer(sort, t.data, i) for i in range(len(parts))]
        parts = [f"{p}::new({part})" if p else part for p, part in zip(pointers, parts, strict=True)]
        name = self.names.data(sort)
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
            return f"Map::<{self.names.sort(key)}, {self.names.sort(value)}>::empty()"
        entries = [
            f"{self.typed(k, key, env)} => {self.typed(v, value, env)}"
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
                head = f"if {self.condition(c, env)} {{{line}{self._branch_block(a, t.sort, env, deeper)}\n{' ' * indent}}} else "
                if b.op == "ite" and not (self.names.exact and self.needs_cast(b, t.sort)):
                    return head + self.block(b, env, OPEN, indent)
                return f"{head}{{{line}{self._branch_block(b, t.sort, env, deeper)}\n{' ' * indent}}}"
        header, inner = self.binder(t.op, t.data, env)
        self._mark(t, inner)
        return f"{header}{line}{self.block(t.args[0], inner, OPEN, deeper)}"

    def _mark(self, t: Term, inner: Names) -> None:
        """In an exact text, chooses a trigger where Verus finds none by itself: in a quantifier over nothing but arithmetic."""
        if self.names.exact and t.op in ("forall", "exists"):
            found = arithmetic_trigger(t.args[0], len(t.data))
            self.trigger = None if found is None else (found, len(inner))

    def _branch_block(self, t: Term, sort: Sort, env: Names, indent: int) -> str:
        if self.names.exact and (self.needs_cast(t, sort) or t.op == "lit"):
            return self.branch(t, sort, env)
        return self.block(t, env, OPEN, indent)


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


def arithmetic_trigger(body: Term, n: int) -> Term | None:
    """A sum, product or the like over a quantifier's n variables, where nothing in its body is a trigger by itself: no function,
    element, field or membership that mentions one of them. None where there is one, or nothing to choose from."""
    chosen: Term | None = None
    stack = [(body, 0)]
    seen: set[tuple[Term, int]] = set()
    while stack:
        t, depth = stack.pop()
        if (t, depth) in seen or t.loose <= depth:
            continue
        seen.add((t, depth))
        if t.op not in _PLAIN and any(_mentions(a, depth, n) for a in t.args):
            return None
        if t.op in ("add", "sub", "mul", "div", "mod") and depth == 0 and all(_mentions_one(t, i) for i in range(n)):
            chosen = t  # the last one met is the smallest of its branch
        inner = depth + len(t.data) if t.op in BINDERS else depth
        stack.extend((a, inner) for a in reversed(t.args))
    return chosen


def _mentions(t: Term, depth: int, n: int) -> bool:
    return any(_mentions_one(t, depth + i) for i in range(n))


def _mentions_one(t: Term, index: int) -> bool:
    """Whether a term mentions the loose variable of that index."""
    if t.loose <= index:
        return False
    if t.op == "bound":
        return bool(t.data == index)
    inner = index + len(t.data) if t.op in BINDERS else index
    return any(_mentions_one(a, inner) for a in t.args)


def string_literal(text: str) -> str:
    """A text in quotes, with escapes."""
    shown = []
    for c in text:
        if c == '"':
            shown.append('\\"')
        elif c != "'" and c in _ESCAPES:
            shown.append(_ESCAPES[c])
        else:
            shown.append(c if c.isprintable() else f"\\u{{{ord(c):x}}}")
    return '"' + "".join(shown) + '"'


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
