"""Bodies and contracts: what an expression calls, names and hides.

In: expressions, with the scope they stand in. Out: edges and findings of one node, handed to the graph. Local variables shadow
functions, as in Rust; macros of the crate are expanded; the arguments of the library's macros are read as expressions, and
where they are none, every path in them counts as a call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from depgraph.attributes import depends_on_verus
from depgraph.receivers import BOOL, INT, Env, Ty, element, read_type, view
from equiv.verdict import Place
from translate import syntax as sx
from translate.names import Module
from translate.parser import ParseFailure, parse_block, parse_expr_from
from translate.parser.macro_rules import ExpansionError, expansion
from translate.source import SourceText
from translate.tokens import Group, Token

if TYPE_CHECKING:
    from depgraph.graph import CallGraph
    from depgraph.model import NodeInfo

MAX_MACRO_DEPTH = 24

#: The operators that call a trait's method.
OPERATORS = {
    "+": ("add", "spec_add"), "-": ("sub", "spec_sub"), "*": ("mul", "spec_mul"), "/": ("div", "spec_euclidean_div"),
    "%": ("rem", "spec_euclidean_mod"), "==": ("eq", "spec_eq"), "!=": ("eq", "ne"), "<": ("lt", "partial_cmp", "spec_lt"),
    "<=": ("le", "partial_cmp", "spec_le"), ">": ("gt", "partial_cmp", "spec_gt"), ">=": ("ge", "partial_cmp", "spec_ge"),
    "&": ("bitand",), "|": ("bitor",), "^": ("bitxor",), "<<": ("shl",), ">>": ("shr",),
}  # fmt: skip
_ITERATION = ("into_iter", "next", "exec_invariant", "ghost_invariant", "ghost_ensures", "ghost_decrease", "ghost_advance",
              "ghost_iter", "ghost_peek_next")  # fmt: skip
_FINITE_ITERATORS = frozenset("iter iter_mut into_iter chars bytes keys values drain".split())
_LITERALS = {"int": INT, "bool": BOOL, "str": Ty("str"), "char": Ty("char"), "float": Ty("{float}")}
_FIELDS: dict[type, tuple[str, ...]] = {}


class Walker:
    """Reads what one node of the graph says. `kind` is the kind of edge that a call makes here."""

    def __init__(self, graph: CallGraph, node: NodeInfo, env: Env, source: SourceText, in_verus: bool) -> None:
        self.graph, self.node, self.env, self.source, self.in_verus = graph, node, env, source, in_verus
        self.scopes: list[dict[str, Ty | None]] = [{}]
        self.kind = "call"
        #: whether the code here is ghost: contracts, proofs, assertions; operators mean something else in it
        self.ghost = False
        self._at: Place | None = None
        self._macros: list[str] = []
        self._block_modules: dict[int, Module] = {}

    # --- places and scopes -----------------------------------------------------------------------------------------

    def place(self, node: sx.Node | Token) -> Place:
        if self._at is not None:
            return self._at
        start = node.start if isinstance(node, Token) else node.span.start
        line, column = self.source.line_column(start)
        return Place(str(self.source.path), line, column)

    def text(self, node: sx.Node) -> str:
        """The source text of a node on one line, shortened."""
        if self._at is not None:
            return f"expansion of `{self._macros[-1]}!`"
        text = " ".join(self.source.snippet(node.span).split())
        return text if len(text) <= 100 else text[:97] + "…"

    @contextmanager
    def scope(self) -> Iterator[None]:
        self.scopes.append({})
        try:
            yield
        finally:
            self.scopes.pop()

    @contextmanager
    def edges(self, kind: str) -> Iterator[None]:
        outer, self.kind = self.kind, kind
        try:
            with self.ghostly():
                yield
        finally:
            self.kind = outer

    @contextmanager
    def ghostly(self, really: bool = True) -> Iterator[None]:
        outer, self.ghost = self.ghost, self.ghost or really
        try:
            yield
        finally:
            self.ghost = outer

    def bind(self, name: str, t: Ty | None) -> None:
        self.scopes[-1][name] = t

    def local(self, name: str) -> bool:
        """Whether a name is a local variable here: an item of an inner block hides a variable of an outer one."""
        for i in range(len(self.scopes) - 1, -1, -1):
            if name in self.scopes[i]:
                return True
            module = self._block_modules.get(i)
            if module is not None and self.graph.defines(module, name):
                return False
        return False

    def local_type(self, name: str) -> Ty | None:
        for s in reversed(self.scopes):
            if name in s:
                return s[name]
        return None

    # --- expressions -----------------------------------------------------------------------------------------------

    def expr(self, e: Any) -> Ty | None:
        """Reads an expression; its type, where it is known."""
        handler = _HANDLERS.get(type(e))
        if handler is not None:
            return handler(self, e)
        self.children(e)
        return None

    def exprs(self, es: list[Any]) -> None:
        for e in es:
            self.expr(e)

    def children(self, e: Any) -> None:
        """Reads what stands inside a node that has no rule of its own."""
        fields = _FIELDS.get(type(e))
        if fields is None:
            names = [s for c in type(e).__mro__ for s in getattr(c, "__slots__", ())]
            fields = _FIELDS[type(e)] = tuple(n for n in names if n != "span")
        for name in fields:
            self._child(getattr(e, name))

    def _child(self, value: Any) -> None:
        if isinstance(value, list | tuple) and not isinstance(value, sx.Span):
            for v in value:
                self._child(v)
        elif isinstance(value, sx.Node) and not isinstance(value, _NOT_EXPRESSIONS):
            self.expr(value)

    def path_expr(self, e: sx.PathExpr) -> Ty | None:
        return self.path(e.path, e, "mention" if self.kind == "call" else self.kind)

    def path(self, path: sx.Path, at: sx.Node, kind: str, called: bool = False) -> Ty | None:
        """A path as a value; for a function the type of its result."""
        for s in path.segments:
            if s.args is not None:
                self.generic_args(s.args)
        if path.qself is None and len(path.segments) == 1:
            name = path.segments[0].name
            if called and name == "assume" and self.in_verus:  # a keyword of Verus's syntax, whatever is called so
                self.graph.keyword(self, "assume", at)
                return None
            if self.local(name):
                return self.local_type(name)
        return self.graph.value(self, path, at, kind, called)

    def generic_args(self, args: sx.GenericArgs) -> None:
        for a in args.args:
            if isinstance(a, sx.PathType):
                self.graph.type_edge(self, a)

    def call(self, e: sx.Call) -> Ty | None:
        result: Ty | None = None
        if isinstance(e.func, sx.PathExpr):
            kind = self.kind
            node: sx.Node = e if e.func.path.text in ("assume", "admit") or len(e.args) <= 1 else e.func
            result = self.path(e.func.path, node, kind, called=True)
        else:
            self.expr(e.func)
        wraps = isinstance(e.func, sx.PathExpr) and e.func.path.text in ("Ghost", "Tracked", "assume")
        with self.ghostly(wraps):
            types = [self.expr(a) for a in e.args]
        if result is not None and result.head in ("Some", "Ok") and types:
            return Ty("Option" if result.head == "Some" else "Result", (types[0],))
        if result is not None and result.head in ("Ghost", "Tracked") and types and not result.args:
            return Ty(result.head, (types[0],))
        if result is not None and result.head == "closure":
            return result.args[0] if result.args else None
        return result

    def method_call(self, e: sx.MethodCall) -> Ty | None:
        receiver = self.expr(e.receiver)
        if e.generics is not None:
            self.generic_args(e.generics)
        self.exprs(e.args)
        return self.graph.method(self, e.name, receiver, e, self.kind)

    def operator(self, names: tuple[str, ...], receiver: Ty | None, at: sx.Node) -> Ty | None:
        result: Ty | None = None
        for name in names:
            if name.startswith("spec_") is self.ghost and self.graph.methods.named(name):
                result = self.graph.method(self, name, receiver, at, self.kind, operator=True) or result
        return result

    def binary(self, e: sx.Binary) -> Ty | None:
        if e.op in ("&&", "||", "==>", "<==", "<==>"):
            with self.scope():
                self.expr(e.left)
                self.expr(e.right)
            return BOOL
        left = self.expr(e.left)
        right = self.expr(e.right)
        names = OPERATORS.get(e.op.rstrip("=") if e.op not in OPERATORS else e.op, ())
        found = self.operator(names, left if left is not None else None, e) if names else None
        if e.op in ("==", "!=", "<", "<=", ">", ">=", "===", "!==", "=~=", "!~=", "=~~=", "!~~="):
            return BOOL
        if left is not None and left.head in ("{integer}", "int", "nat") and right is not None:
            return right if left.head == "{integer}" else left
        return found or left

    def assign(self, e: sx.Assign) -> Ty | None:
        left = self.expr(e.left)
        self.expr(e.right)
        if e.op != "=":
            names = tuple(f"{n}_assign" for n in OPERATORS.get(e.op[:-1], ()))
            self.operator(names, left, e)
        return None

    def chain(self, e: sx.Chain) -> Ty | None:
        first = self.expr(e.first)
        self.exprs(e.rest)
        for op in e.ops:
            self.operator(OPERATORS.get(op, ()), first, e)
        return BOOL

    def bigop(self, e: sx.BigOp) -> Ty | None:
        with self.scope():
            self.exprs(e.operands)
        return BOOL

    def unary(self, e: sx.Unary) -> Ty | None:
        t = self.expr(e.operand)
        names = {"!": ("not",), "-": ("neg",), "*": ("deref", "deref_mut")}.get(e.op, ())
        return self.operator(names, t, e) or t

    def borrow(self, e: sx.Borrow) -> Ty | None:
        return self.expr(e.operand)

    def field(self, e: sx.Field) -> Ty | None:
        t = self.expr(e.base)
        if t is not None and t.head == "tuple" and e.name.isdigit():
            return t.args[int(e.name)] if int(e.name) < len(t.args) else None
        return self.graph.field_type(self, t, e.name)

    def view(self, e: sx.View) -> Ty | None:
        t = self.expr(e.base)
        return self.graph.method(self, "view", t, e, self.kind, operator=True) or view(t)

    def index(self, e: sx.Index) -> Ty | None:
        t = self.expr(e.base)
        self.expr(e.index)
        found = self.operator(("index", "spec_index", "index_mut"), t, e)
        if isinstance(e.index, sx.Range):
            return t
        return element(t) or found

    def cast(self, e: sx.Cast) -> Ty | None:
        self.expr(e.operand)
        return read_type(e.type, self.env)

    def literal(self, e: sx.Literal) -> Ty | None:
        if e.suffix:
            return Ty(e.suffix)
        return _LITERALS.get(e.kind)

    def tuple_expr(self, e: sx.TupleExpr) -> Ty | None:
        return Ty("tuple", tuple(self.expr(x) for x in e.elems))

    def array_expr(self, e: sx.ArrayExpr) -> Ty | None:
        types = [self.expr(x) for x in e.elems]
        return Ty("array", (types[0] if types else None,))

    def repeat(self, e: sx.RepeatExpr) -> Ty | None:
        t = self.expr(e.elem)
        self.expr(e.count)
        return Ty("array", (t,))

    def range(self, e: sx.Range) -> Ty | None:
        low = self.expr(e.low) if e.low is not None else None
        high = self.expr(e.high) if e.high is not None else None
        best = high if low is None or low.head == "{integer}" else low
        return Ty("Range", (best,))

    def struct(self, e: sx.StructExpr) -> Ty | None:
        for _, value in e.fields:
            self.expr(value)
        if e.base is not None:
            self.expr(e.base)
        return self.graph.constructed(self, e.path, e)

    def condition(self, e: Any) -> None:
        """A condition: what its patterns bind stays in the current scope."""
        if isinstance(e, sx.Binary) and e.op == "&&":
            self.condition(e.left)
            self.condition(e.right)
        elif isinstance(e, sx.BigOp) and e.op == "&&&":
            for o in e.operands:
                self.condition(o)
        else:
            self.expr(e)

    def if_(self, e: sx.If) -> Ty | None:
        with self.scope():
            self.condition(e.cond)
            t = self.expr(e.then)
        other = self.expr(e.orelse) if e.orelse is not None else None
        return t or other

    def let_cond(self, e: sx.LetCond | sx.Matches) -> Ty | None:
        t = self.expr(e.operand)
        self.pattern(e.pattern, t)
        return BOOL

    def match(self, e: sx.Match) -> Ty | None:
        t = self.expr(e.operand)
        result: Ty | None = None
        for arm in e.arms:
            with self.scope():
                self.cfg(arm.attrs, arm)
                self.pattern(arm.pattern, t)
                if arm.guard is not None:
                    self.condition(arm.guard)
                result = self.expr(arm.body) or result
        return result

    def block(self, e: sx.Block) -> Ty | None:
        if e.kind == "unsafe":
            self.graph.find(self, "unsafe-code", e, "unsafe { … }")
        with self.ghostly(e.kind == "proof"):
            return self._statements(e)

    def _statements(self, e: sx.Block) -> Ty | None:
        outer = self.env.module
        depth = len(self.scopes)
        if any(isinstance(s, sx.ItemStmt) for s in e.stmts):
            self.env.module = self._block_modules[depth] = self.graph.block_module(e, outer, self.source)
        try:
            with self.scope():
                for s in e.stmts:
                    self.statement(s)
                return self.expr(e.tail) if e.tail is not None else None
        finally:
            self.env.module = outer
            self._block_modules.pop(depth, None)

    def statement(self, s: Any) -> None:
        if isinstance(s, sx.LetStmt):
            self.cfg(s.attrs, s)
            if s.type is not None:
                self.graph.type_edge(self, s.type)
            with self.ghostly(bool(s.mode)):
                t = self.expr(s.init) if s.init is not None else None
            if s.orelse is not None:
                self.expr(s.orelse)
            self.pattern(s.pattern, read_type(s.type, self.env) or t)
        elif isinstance(s, sx.ExprStmt):
            self.expr(s.expr)
        elif isinstance(s, sx.ItemStmt):
            self.cfg(getattr(s.item, "attrs", []), s)
            if isinstance(s.item, sx.BroadcastUse):
                for path in s.item.paths:
                    self.path(path, path, "broadcast-use")

    def closure(self, e: sx.Closure) -> Ty | None:
        with self.scope():
            for b in e.params:
                self.pattern(b.pattern, read_type(b.type, self.env))
            if e.output_name is not None:
                self.pattern(e.output_name, read_type(e.output, self.env))
            self.clauses(e.clauses)
            t = self.expr(e.body)
        return Ty("closure", (read_type(e.output, self.env) or t,))

    def quantifier(self, e: sx.Quantifier) -> Ty | None:
        with self.scope(), self.ghostly():
            types = []
            for b in e.binders:
                t = read_type(b.type, self.env)
                types.append(t)
                self.pattern(b.pattern, t)
            for group in e.triggers:
                self.exprs(group)
            self.expr(e.body)
        if e.kind != "choose":
            return BOOL
        return types[0] if len(types) == 1 else Ty("tuple", tuple(types))

    def attr_expr(self, e: sx.AttrExpr) -> Ty | None:
        self.cfg(e.attrs, e)
        return self.expr(e.operand)

    def loop(self, e: sx.Loop) -> Ty | None:
        measured = any(c.kind == "decreases" for c in e.clauses)
        if e.kind != "for" and not measured:
            self.node.open_loops.append(self.place(e))
        with self.scope():
            over = self.expr(e.operand) if e.operand is not None else None
            if e.kind == "for" and not measured and not _ends(e.operand, over):
                self.node.open_fors.append(self.place(e))
            if e.kind == "for":
                self.operator(_ITERATION, over, e)
            if e.iter_name is not None:
                self.bind(e.iter_name, None)
            if e.pattern is not None:
                self.pattern(e.pattern, element(over))
            if e.cond is not None:
                self.condition(e.cond)
            self.clauses(e.clauses)
            self.expr(e.body)
        return None

    def clauses(self, clauses: list[sx.Clause]) -> None:
        """The clauses of a loop, a closure or an atomic call: read as part of the body."""
        for c in clauses:
            for p in [*c.params, *c.outputs]:
                if p.name:
                    self.bind(p.name, read_type(p.type, self.env))
            with self.ghostly():
                self.exprs(c.exprs)
            self.clauses(c.inner)

    def atomic(self, e: sx.AtomicCall) -> Ty | None:
        t = self.expr(e.call)
        with self.scope():
            self.bind(e.binder, None)
            if e.output_name is not None:
                self.pattern(e.output_name, None)
            self.clauses(e.clauses)
            self.expr(e.body)
        return t

    def try_(self, e: sx.Try) -> Ty | None:
        t = self.expr(e.operand)
        return t.args[0] if t is not None and t.head in ("Option", "Result") and t.args else None

    def bool_of(self, e: Any) -> Ty | None:
        self.children(e)
        return BOOL

    # --- patterns --------------------------------------------------------------------------------------------------

    def pattern(self, p: Any, t: Ty | None) -> None:
        """Binds the names of a pattern, as far as its type is known with theirs."""
        match p:
            case sx.IdentPat():
                if p.name[:1].isupper() and p.sub is None:
                    self.graph.constant_pattern(self, p)
                self.bind(p.name, t)
                if p.sub is not None:
                    self.pattern(p.sub, t)
            case sx.TuplePat():
                args = t.args if t is not None and t.head == "tuple" and len(t.args) == len(p.elems) else ()
                for i, x in enumerate(p.elems):
                    self.pattern(x, args[i] if args else None)
            case sx.TupleStructPat():
                name = p.path.segments[-1].name if p.path.segments else ""
                types = self.graph.variant_fields(self, p.path, t, len(p.elems))
                if types is None and t is not None and t.args and name in ("Some", "Ok", "Ghost", "Tracked"):
                    types = [t.args[0]]
                for i, x in enumerate(p.elems):
                    self.pattern(x, types[i] if types is not None and i < len(types) else None)
            case sx.StructPat():
                head = self.graph.constructed(self, p.path, p)
                for name, x in p.fields:
                    self.pattern(x, self.graph.field_type(self, head, name))
            case sx.RefPat():
                self.pattern(p.inner, t)
            case sx.OrPat():
                for x in p.alternatives:
                    self.pattern(x, t)
            case sx.SlicePat():
                for x in p.elems:
                    self.pattern(x, element(t))
            case sx.PathPat():
                self.path(p.path, p, "mention")
            case sx.LitPat():
                self.expr(p.value)
            case sx.RangePat():
                for e in (p.low, p.high):
                    if e is not None:
                        self.expr(e)
            case sx.MacroPat():
                self.tokens(p.body.children)

    # --- configuration ---------------------------------------------------------------------------------------------

    def cfg(self, attrs: list[sx.Attr], at: sx.Node) -> None:
        """Code inside a body that Verus and the compiler read differently."""
        for a in attrs:
            if a.path in ("cfg", "cfg_attr") and depends_on_verus(a.text):
                self.graph.find(self, "cfg-code", at, f"#[{a.text}]")

    # --- macros ----------------------------------------------------------------------------------------------------

    def macro(self, e: sx.MacroCall) -> Ty | None:
        names = [s.name for s in e.path.segments]
        name = names[-1]
        ref = self.graph.crate.resolve(names, self.env.module, "macros")
        if ref is not None and isinstance(ref.item, sx.MacroDef):
            for other in self.graph.crate.hidden:
                if other.path == ref.path and any(depends_on_verus(a.text) for a in self.graph.cfgs_of(other)):
                    self.graph.find(self, "cfg-twin", e, f"in a plain build `{name}!` is another macro")
            self._expand(e, ref.item, ref.path)
            return None
        if ref is not None and ref.item is None and not self.graph.is_library(ref.path):
            what = f"macro `{name}!` of another crate: what it expands to is not seen"
            self.graph.unresolved(self, "unresolved-macro", e, what)
        if name == "cfg" and depends_on_verus(self.source.snippet(e.span)):
            self.graph.find(self, "cfg-code", e, self.text(e))
        if name in ("include", "global_asm", "asm"):
            self.graph.unresolved(self, "unresolved-macro", e, f"`{name}!` inside a body is not read")
        with self.ghostly(name.startswith(("proof", "assert_", "calc", "seq", "set", "map", "iset", "imap"))):
            self.arguments(e.body)
        return {"seq": Ty("Seq", (None,)), "vec": Ty("Vec", (None,)), "format": Ty("String"), "matches": BOOL}.get(name)

    def _expand(self, e: sx.MacroCall, macro: sx.MacroDef, path: str) -> None:
        self.graph.macro_edge(self, e, path, macro)
        outer = self._at
        try:
            if len(self._macros) >= MAX_MACRO_DEPTH:
                raise ExpansionError("it expands for ever")
            group = expansion(macro, e.body)
        except ExpansionError as problem:
            self.graph.unresolved(self, "unresolved-macro", e, f"macro `{macro.name}!`: {problem}")
            self._at = self.place(e)
            self._macros.append(macro.name)
            self.tokens(macro.body.children)
            self._macros.pop()
            self._at = outer
            self.arguments(e.body)
            return
        self._at = self.place(e)
        self._macros.append(macro.name)
        try:
            self.arguments(group)
        finally:
            self._macros.pop()
            self._at = outer

    def arguments(self, group: Group) -> None:
        """What stands in the brackets of a macro: statements, expressions between separators, or plain tokens."""
        try:
            block = parse_block(group, True)
        except (ParseFailure, RecursionError):
            block = None
        if block is not None:
            self.expr(block)
            return
        chunk: list[Token] = []
        with self.scope():
            for t in [*group.children, None]:
                if t is not None and t.text not in (",", ";", "=>"):
                    chunk.append(t)
                elif chunk:
                    self._chunk(chunk)
                    chunk = []

    def _chunk(self, tokens: list[Token]) -> None:
        try:
            parsed = parse_expr_from(tokens)
        except (ParseFailure, RecursionError):
            parsed = None
        if parsed is not None:
            self.expr(parsed)
        else:
            self.tokens(tokens)

    def tokens(self, tokens: list[Token]) -> None:
        """Tokens of unknown grammar: every path in them counts as a call, every group as code where it can be read as such."""
        i = 0
        while i < len(tokens):
            t = tokens[i]
            if t.text == "#" and i + 1 < len(tokens) and tokens[i + 1].text == "[":  # an attribute
                i += 2
                continue
            if isinstance(t, Group):
                self.arguments(t) if t.text != "(" or not self._macros else self.tokens(t.children)
                i += 1
                continue
            if t.kind != "ident":
                i += 1
                continue
            before = tokens[i - 1].text if i else ""
            segments = [t.text]
            j = i + 1
            while j + 1 < len(tokens) and tokens[j].text == "::" and tokens[j + 1].kind == "ident":
                segments.append(tokens[j + 1].text)
                j += 2
            if j < len(tokens) and tokens[j].text == "!":  # a macro call: its arguments come next
                i = j + 1
                continue
            called = j < len(tokens) and tokens[j].text == "("
            span = sx.Span(t.start, tokens[j - 1].end)
            if before == "." and called:
                self.graph.method(self, segments[-1], None, sx.Node(span), self.kind)
            elif before not in (".", "$", "let", "mut", "fn") and (len(segments) > 1 or t.text not in _WORDS):
                path = sx.Path(span, [sx.PathSegment(span, s) for s in segments])
                self.path(path, path, self.kind if called else "mention", called)
            i = j


_WORDS = frozenset(
    "let mut if else match for while loop in return break continue assert by forall exists choose requires ensures invariant "
    "decreases proof spec tracked ghost as ref move true false fn self Self".split()
)
_NOT_EXPRESSIONS = (
    sx.PathType, sx.RefType, sx.PtrType, sx.SliceType, sx.ArrayType, sx.TupleType, sx.FnPtrType, sx.BoundsType, sx.InferType,
    sx.NeverType, sx.MacroType, sx.Path, sx.GenericArgs, sx.Attr, sx.Param,
)  # fmt: skip


def _ends(over: sx.Expr | None, t: Ty | None) -> bool:
    """Whether what a `for` goes through surely has an end: a range with two ends, or what a library's collection holds."""
    while isinstance(over, sx.Borrow):
        over = over.operand
    if isinstance(over, sx.Range):
        return over.low is not None and over.high is not None
    if isinstance(over, sx.MethodCall) and over.name in _FINITE_ITERATORS:
        return True
    return t is not None and not t.head.startswith(("crate::", "param:", "dyn:", "closure"))


def _assert(w: Walker, e: sx.Assert) -> Ty | None:
    with w.scope(), w.ghostly():
        if isinstance(e.condition, sx.Quantifier) and e.body is not None:  # `assert forall|x| … by { … }`: the body sees x
            for b in e.condition.binders:
                w.pattern(b.pattern, read_type(b.type, w.env))
        w.condition(e.condition)
        w.exprs(e.requires)
        if e.body is not None:
            w.expr(e.body)
    if e.prover == "integer_ring":
        w.graph.find(w, "integer-ring", e, w.text(e))
    return None


_HANDLERS: dict[type, Callable[[Walker, Any], Ty | None]] = {
    sx.PathExpr: Walker.path_expr,
    sx.Call: Walker.call,
    sx.MethodCall: Walker.method_call,
    sx.Binary: Walker.binary,
    sx.Assign: Walker.assign,
    sx.Chain: Walker.chain,
    sx.BigOp: Walker.bigop,
    sx.Unary: Walker.unary,
    sx.Borrow: Walker.borrow,
    sx.Field: Walker.field,
    sx.View: Walker.view,
    sx.Index: Walker.index,
    sx.Cast: Walker.cast,
    sx.Literal: Walker.literal,
    sx.TupleExpr: Walker.tuple_expr,
    sx.ArrayExpr: Walker.array_expr,
    sx.RepeatExpr: Walker.repeat,
    sx.Range: Walker.range,
    sx.StructExpr: Walker.struct,
    sx.If: Walker.if_,
    sx.LetCond: Walker.let_cond,
    sx.Matches: Walker.let_cond,
    sx.Match: Walker.match,
    sx.Block: Walker.block,
    sx.Closure: Walker.closure,
    sx.Quantifier: Walker.quantifier,
    sx.AttrExpr: Walker.attr_expr,
    sx.Loop: Walker.loop,
    sx.AtomicCall: Walker.atomic,
    sx.Try: Walker.try_,
    sx.Is: Walker.bool_of,
    sx.Has: Walker.bool_of,
    sx.MacroCall: Walker.macro,
    sx.Assert: _assert,
}
