"""Items and signatures: every function mode, every clause, everything around them."""

from __future__ import annotations

from typing import TypeVar

import pytest

from tests.translate.shapes import file_of, function, shape, verus
from translate import syntax as sx
from translate.parser import body_of, parse_file
from translate.source import from_text

N = TypeVar("N", bound=sx.Node)


def only(kind: type[N], text: str) -> N:
    """The one item in `text`, inside `verus!`."""
    (item,) = verus(text)
    assert isinstance(item, kind)
    return item


# --- functions: modes -----------------------------------------------------------------------------------------------

MODES = [
    ("fn f() {}", "exec", "", ""),
    ("exec fn f() {}", "exec", "exec", ""),
    ("spec fn f() -> int;", "spec", "spec", ""),
    ("spec(checked) fn f() -> int { 1 }", "spec", "spec(checked)", ""),
    ("pub open spec fn f() -> int { 1 }", "spec", "spec", "open"),
    ("pub open(crate) spec fn f() -> int { 1 }", "spec", "spec", "open"),
    ("pub open(in crate::m) spec fn f() -> int { 1 }", "spec", "spec", "open"),
    ("pub closed spec fn f() -> int { 1 }", "spec", "spec", "closed"),
    ("uninterp spec fn f() -> int;", "spec", "spec", "uninterp"),
    ("proof fn f() {}", "proof", "proof", ""),
    ("axiom fn f() ensures true;", "proof", "axiom", ""),
    ("pub broadcast axiom fn f() ensures true;", "proof", "axiom", ""),
    ("broadcast proof fn f() {}", "proof", "proof", ""),
    ("pub const fn f() {}", "exec", "", ""),
    ("unsafe fn f() {}", "exec", "", ""),
]


@pytest.mark.parametrize(("text", "mode", "mode_text", "publish"), MODES, ids=[case[0] for case in MODES])
def test_mode(text: str, mode: str, mode_text: str, publish: str) -> None:
    fn = function(text)
    assert (fn.name, fn.mode, fn.mode_text, fn.publish) == ("f", mode, mode_text, publish)
    assert fn.axiom == (mode_text == "axiom")
    assert fn.broadcast == ("broadcast" in text)
    assert fn.in_verus
    assert (fn.body is None) == text.endswith(";")


def test_open_in_and_visibility() -> None:
    assert function("pub(in a::b) open(in crate::m) spec fn f() {}").open_in == "crate::m"
    assert function("pub(in a::b) open(in crate::m) spec fn f() {}").vis == "pub(in a::b)"
    assert function("pub(crate) open(crate) spec fn f() {}").open_in == "crate"
    assert function("pub(crate) fn f() {}").vis == "pub(crate)"


def test_qualifiers() -> None:
    assert function('pub const unsafe extern "C" fn f() {}').qualifiers == ["const", "unsafe", 'extern "C"']
    assert function("async fn f() {}").qualifiers == ["async"]


# --- functions: parameters and results ------------------------------------------------------------------------------


def test_parameters() -> None:
    fn = function(
        "fn f<'a>(&'a mut self, x: u8, mut y: Vec<u8>, tracked t: &T, Tracked(p): Tracked<P>, Ghost(g): Ghost<int>,"
        " (a, b): (u8, u8), _: bool, tracked: u8) {}"
    )
    names = [(p.name, p.mode, p.self_kind) for p in fn.params]
    assert names == [
        ("self", "", "&mut self"),
        ("x", "", None),
        ("y", "", None),
        ("t", "tracked", None),
        ("p", "", None),
        ("g", "", None),
        ("", "", None),
        ("_", "", None),
        ("tracked", "", None),
    ]


@pytest.mark.parametrize(
    ("text", "kind", "mode", "typed"),
    [
        ("self", "self", "", False),
        ("mut self", "mut self", "", False),
        ("&self", "&self", "", False),
        ("&'a self", "&self", "", False),
        ("tracked &mut self", "&mut self", "tracked", False),
        ("tracked self", "self", "tracked", False),
        ("self: Box<Self>", "self", "", True),
    ],
)
def test_receivers(text: str, kind: str, mode: str, typed: bool) -> None:
    (param,) = function(f"fn f({text}) {{}}").params
    assert (param.name, param.self_kind, param.mode, param.type is not None) == ("self", kind, mode, typed)


@pytest.mark.parametrize(
    ("text", "name", "of", "mode"),
    [
        ("-> (r: u8)", "r", "u8", ""),
        ("-> (tracked r: T)", "r", "T", "tracked"),
        ("-> tracked T", None, "T", "tracked"),
        ("-> (u8, T)", None, "(u8, T,)", ""),
        ("-> ((a, b): (u8, T))", "(a, b,)", "(u8, T,)", ""),
        ("-> (r: (u8, T))", "r", "(u8, T,)", ""),
        ("-> (m::T)", None, "m::T", ""),
        ("", None, "-", ""),
    ],
)
def test_results(text: str, name: str | None, of: str, mode: str) -> None:
    fn = function(f"fn f() {text} {{ }}")
    assert (shape(fn.ret_name) if fn.ret_name else None, shape(fn.ret_type), fn.ret_mode) == (name, of, mode)


# --- functions: clauses ---------------------------------------------------------------------------------------------


def clauses(fn: sx.Fn) -> list[tuple[str, list[str]]]:
    return [(clause.kind, [shape(e) for e in clause.exprs]) for clause in fn.clauses]


def test_every_signature_clause() -> None:
    fn = function(
        """
        proof fn f<T>(x: int) -> (r: int) by (nonlinear_arith)
            requires x > 0, x < 10,
            recommends x != 5,
            ensures r == x, r > 0
            returns x
            decreases x, 1int when x > 0 via helper
            opens_invariants none
            no_unwind when x > 1
        { }
        """
    )
    assert clauses(fn) == [
        ("by", []),
        ("requires", ["(> x 0)", "(< x 10)"]),
        ("recommends", ["(!= x 5)"]),
        ("ensures", ["(== r x)", "(> r 0)"]),
        ("returns", ["x"]),
        ("decreases", ["x", "1int"]),
        ("when", ["(> x 0)"]),
        ("via", ["helper"]),
        ("opens_invariants", []),
        ("no_unwind", ["(> x 1)"]),
    ]
    assert [clause.word for clause in fn.clauses if clause.word] == ["nonlinear_arith", "none"]
    assert [shape(e) for e in fn.exprs("ensures")] == ["(== r x)", "(> r 0)"]


@pytest.mark.parametrize(
    "text",
    [
        "fn f(x: u8) requires x > 0 ensures x > 1 { }",
        "fn f(x: u8) requires x > 0, ensures x > 1, { }",
        "fn f(x: u8) ensures x > 1, requires x > 0, { }",
        "fn f<T>(x: u8) where T: Copy, requires x > 0 ensures x > 1 { }",
        "fn f<T>(x: u8) requires x > 0, ensures x > 1, where T: Copy { }",
        "fn f(x: u8) requires x > 0 ensures x > 1;",
    ],
)
def test_clauses_in_any_order_with_and_without_commas(text: str) -> None:
    fn = function(text)
    assert sorted(clauses(fn)) == [("ensures", ["(> x 1)"]), ("requires", ["(> x 0)"])]
    assert len(fn.generics.where) == text.count("where")


def test_block_as_a_condition_needs_its_comma() -> None:
    fn = function("spec fn f(x: int) -> bool recommends { x > 0 }, { x < 9 }, { true }")
    assert clauses(fn) == [("recommends", ["{(> x 0)}", "{(< x 9)}"])]
    assert fn.body is not None


def test_conditions_that_end_with_a_brace() -> None:
    fn = function("fn f(o: Option<u8>) ensures match o { Some(x) => x > 0, None => true } { }")
    assert [shape(e) for e in fn.exprs("ensures")] == ["Match(o, [Arm(Some(x), (> x 0)), Arm(None, true)])"]


@pytest.mark.parametrize(
    ("text", "word", "exprs"),
    [
        ("any", "any", []),
        ("none", "none", []),
        ("[a, b]", "list", ["a", "b"]),
        ("any / [a]", "except", ["a"]),
        ("Set::empty()", "set", ["Set::empty()"]),
    ],
)
def test_invariant_masks(text: str, word: str, exprs: list[str]) -> None:
    (clause,) = function(f"fn f() opens_invariants {text} {{ }}").clauses
    assert (clause.word, [shape(e) for e in clause.exprs]) == (word, exprs)


def test_with_and_atomically() -> None:
    fn = function(
        """
        fn f(x: u8)
            with Tracked(t): Tracked<T>, Ghost(g): Ghost<int> -> o: Tracked<T>,
            atomically (au) { type P, (old: A) -> (new: B), requires old.ok(), ensures new.ok(), outer_mask any, }
            requires x > 0
        { }
        """
    )
    with_, atomic, requires = fn.clauses
    assert [p.name for p in with_.params] == ["t", "g"]
    assert [p.name for p in with_.outputs] == ["o"]
    assert atomic.word == "au"
    assert [(c.kind, c.word) for c in atomic.inner] == [("requires", None), ("ensures", None), ("outer_mask", "any")]
    assert ([p.name for p in atomic.params], [p.name for p in atomic.outputs]) == (["old"], ["new"])
    assert requires.kind == "requires"


def test_ensures_with_group_attributes() -> None:
    fn = function("proof fn f(x: int) ensures #![trigger g(x)] g(x) == 1, {}")
    (clause,) = fn.clauses
    assert [attr.path for attr in clause.attrs] == ["trigger"]
    assert [shape(e) for e in clause.exprs] == ["(== g(x) 1)"]


# --- contracts in attributes ----------------------------------------------------------------------------------------


def test_verus_spec_attribute_is_a_contract() -> None:
    file = file_of(
        """
        #[verus_spec(ret =>
            requires x < 100, y < 100,
            ensures ret == x + y,
        )]
        fn add(x: u32, y: u32) -> u32 { x + y }
        #[verus_verify]
        fn plain() {}
        fn rust() {}
        #[verus_spec(requires a)]
        const C: u8 = 5;
        """
    )
    assert file.problems == []
    add, plain, rust, constant = file.items
    assert isinstance(add, sx.Fn)
    assert isinstance(plain, sx.Fn)
    assert isinstance(rust, sx.Fn)
    assert isinstance(constant, sx.Const)
    assert clauses(add) == [("requires", ["(< x 100)", "(< y 100)"]), ("ensures", ["(== ret (+ x y))"])]
    assert shape(add.ret_name) == "ret"
    assert (add.in_verus, plain.in_verus, rust.in_verus, constant.in_verus) == (True, True, False, True)
    assert file.verus_blocks == 0


def test_verus_verify_on_an_impl_covers_its_functions() -> None:
    file = file_of("#[verus_verify] impl S { fn f(&self) {} } impl S { fn g(&self) {} }")
    inside = [fn.in_verus for item in file.items if isinstance(item, sx.Impl) for fn in item.items if isinstance(fn, sx.Fn)]
    assert inside == [True, False]


def test_attributes_inside_a_body_belong_to_the_function() -> None:
    fn = function("#[a] fn f() { // note\n #![verifier::external_body]\n x }".replace("\\n", "\n"))
    assert [attr.path for attr in fn.attrs] == ["a", "verifier::external_body"]
    assert fn.attrs[1].inner


def test_attribute_parts() -> None:
    fn = function('#[verifier(external_body)] #[doc = "text"] #[cfg(  all(a,\n b))] fn f() {}'.replace("\\n", "\n"))
    external, doc, cfg = fn.attrs
    assert (external.path, external.args is not None, external.text) == ("verifier", True, "verifier(external_body)")
    assert (doc.path, doc.value) == ("doc", "text")
    assert cfg.text == "cfg( all(a, b))"


# --- verus! blocks --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["verus", "verus_", "::vstd::prelude::verus", "builtin_macros::verus"])
def test_names_of_the_block(name: str) -> None:
    file = file_of(f"fn a() {{}} {name}! {{ fn b() {{}} }} fn c() {{}} mod m {{ {name}!{{ fn d() {{}} }} }}")
    assert file.problems == []
    assert file.verus_blocks == 2
    a, b, c, module = file.items
    assert isinstance(module, sx.Mod)
    assert module.items is not None
    (d,) = module.items
    flags = [(fn.name, fn.in_verus) for fn in (a, b, c, d) if isinstance(fn, sx.Fn)]
    assert flags == [("a", False), ("b", True), ("c", False), ("d", True)]


def test_attributes_of_a_block_hold_for_its_items() -> None:
    file = file_of("#[cfg(test)] verus! { #[a] fn f() {} struct S; }")
    assert [[attr.path for attr in item.attrs] for item in file.items if isinstance(item, sx.Fn | sx.Struct)] == [
        ["cfg", "a"],
        ["cfg"],
    ]


def test_block_inside_a_function() -> None:
    file = file_of("fn main() { verus! { proof fn p() {} } let x = 1; }")
    (main,) = file.items
    assert isinstance(main, sx.Fn)
    body = body_of(main)
    assert body is not None
    first = body.stmts[0]
    assert isinstance(first, sx.ItemStmt)
    assert isinstance(first.item, sx.Fn)
    assert (first.item.name, first.item.in_verus) == ("p", True)


def test_other_macros_stay_whole() -> None:
    file = file_of(
        "state_machine!{ M { fields { pub x: int } } } macro_rules! m { () => { 1 } } thread_local!(static A: u8 = 1;);"
    )
    kinds = [type(item).__name__ for item in file.items]
    assert kinds == ["MacroItem", "MacroDef", "MacroItem"]


# --- data -----------------------------------------------------------------------------------------------------------


def test_structs() -> None:
    named = only(sx.Struct, "pub tracked struct S<T> where T: Copy { pub ghost a: int, tracked b: T, pub(crate) c: u8 }")
    assert (named.shape, named.mode) == ("struct", "tracked")
    assert [(f.name, f.mode, f.vis) for f in named.fields] == [
        ("a", "ghost", "pub"),
        ("b", "tracked", ""),
        ("c", "", "pub(crate)"),
    ]
    assert len(named.generics.where) == 1
    pair = only(sx.Struct, "struct P(pub u8, (A, B));")
    assert ([f.name for f in pair.fields], pair.shape) == (["0", "1"], "tuple")
    assert only(sx.Struct, "struct U;").shape == "unit"
    assert only(sx.Struct, "union U { a: u8, b: u16 }").union


def test_enum() -> None:
    enum = only(sx.Enum, "pub ghost enum E<T> { A, #[x] B(T, u8), C { n: nat }, D = 5 }")
    assert [(v.name, v.shape, len(v.fields)) for v in enum.variants] == [
        ("A", "unit", 0),
        ("B", "tuple", 2),
        ("C", "struct", 1),
        ("D", "unit", 0),
    ]
    assert enum.mode == "ghost"
    assert enum.variants[1].attrs[0].path == "x"
    assert enum.variants[3].discriminant is not None


def test_generics() -> None:
    fn = function("fn f<'a: 'b, 'b, T: ?Sized + Fn(A) -> B = C, const N: usize>() where for<'c> T: X<'c>, 'a: 'b, {}")
    assert [(p.kind, p.name) for p in fn.generics.params] == [
        ("lifetime", "'a"),
        ("lifetime", "'b"),
        ("type", "T"),
        ("const", "N"),
    ]
    bounds = fn.generics.params[2].bounds
    assert [bound.maybe for bound in bounds] == [True, False]
    assert [(p.lifetime, len(p.bounds)) for p in fn.generics.where] == [(None, 1), ("'a", 1)]


def test_impls() -> None:
    impl = only(sx.Impl, "impl<T: View> View for S<T> { type V = Seq<T>; spec fn view(&self) -> Self::V { self.a } }")
    assert (shape(impl.trait), shape(impl.self_type)) == ("View", "S<T>")
    assert [type(item).__name__ for item in impl.items] == ["TypeAlias", "Fn"]
    assert only(sx.Impl, "unsafe impl Send for S {}").negative is False
    assert only(sx.Impl, "impl !Send for S {}").negative
    assert only(sx.Impl, "impl S { const C: u8 = 1; }").trait is None
    assert shape(only(sx.Impl, "impl const Tr for [u8; 4] {}").self_type) == "ArrayType(u8, 4)"


def test_traits() -> None:
    trait = only(
        sx.Trait,
        """
        pub trait Tr<T>: A + B where T: Copy {
            type Out: Clone;
            const N: usize;
            spec fn s(&self) -> int;
            fn e(&self) -> (r: u8) requires self.s() > 0 default_ensures r > 0;
            proof fn p(&self) ensures true {}
        }
        """,
    )
    assert [type(item).__name__ for item in trait.items] == ["TypeAlias", "Const", "Fn", "Fn", "Fn"]
    assert [shape(bound.path) for bound in trait.supertraits] == ["A", "B"]
    declared = trait.items[3]
    assert isinstance(declared, sx.Fn)
    assert [clause.kind for clause in declared.clauses] == ["requires", "default_ensures"]
    assert declared.body is None
    assert only(sx.Trait, "trait A = B + C;").is_alias


def test_constants() -> None:
    plain = only(sx.Const, "pub const C: u8 = 5 + 1;")
    assert (plain.mode, shape(plain.value)) == ("", "(+ 5 1)")
    spec = only(sx.Const, "pub open spec const C: int = 5;")
    assert (spec.mode, spec.publish) == ("spec", "open")
    block = only(sx.Const, "exec const C: u64 ensures C == 5 { assert(true); 5 }")
    assert block.mode == "exec"
    assert [clause.kind for clause in block.clauses] == ["ensures"]
    assert isinstance(block.value, sx.Block)
    static = only(sx.Const, "exec static mut S: u64 ensures S == 5 { 5 }")
    assert static.static


def test_use_leaves() -> None:
    use = only(sx.Use, "pub use a::{b, c as d, e::{self, f::*}, self as g}; ")
    assert [(leaf.path, leaf.alias, leaf.glob) for leaf in use.leaves] == [
        (["a", "b"], "b", False),
        (["a", "c"], "d", False),
        (["a", "e"], "e", False),
        (["a", "e", "f"], None, True),
        (["a"], "g", False),
    ]
    assert [leaf.alias for leaf in only(sx.Use, "use a::T as _;").leaves] == [None]
    assert only(sx.Use, "use ::a::b;").leaves[0].path == ["", "a", "b"]


def test_modules_and_aliases() -> None:
    assert only(sx.Mod, "pub mod a;").items is None
    alias = only(sx.TypeAlias, "type A<T> = Map<int, T>;")
    assert shape(alias.type) == "Map<int, T>"


# --- what only Verus has --------------------------------------------------------------------------------------------


def test_broadcast() -> None:
    group = only(sx.BroadcastGroup, "pub broadcast group g { a, crate::b::c, Self::d, }")
    assert [path.text for path in group.members] == ["a", "crate::b::c", "Self::d"]
    assert [path.text for path in only(sx.BroadcastUse, "broadcast use { a, b::c };").paths] == ["a", "b::c"]
    assert [path.text for path in only(sx.BroadcastUse, "broadcast use a::b;").paths] == ["a::b"]


def test_global() -> None:
    size = only(sx.Global, "global size_of usize == 8;")
    assert (size.kind, size.size, size.text) == ("size_of", 8, "size_of usize == 8")
    layout = only(sx.Global, "global layout S is size == 16, align == 8;")
    assert (layout.kind, layout.size, shape(layout.type)) == ("layout", 16, "S")


def test_assume_specification() -> None:
    item = only(
        sx.AssumeSpecification,
        "pub assume_specification<T: Clone>[ <Vec<T> as Clone>::clone ](v: &Vec<T>) -> (r: Vec<T>)"
        " where T: X, requires true, ensures r@ == v@, opens_invariants none no_unwind;",
    )
    assert shape(item.path) == "<Vec<T> as Clone>::clone"
    assert [clause.kind for clause in item.clauses] == ["requires", "ensures", "opens_invariants", "no_unwind"]
    assert shape(item.ret_name) == "r"
    assert len(item.generics.where) == 1


def test_words_of_verus_may_be_names() -> None:
    fn = function("fn spec(open: u8, closed: u8, ghost: u8) { let proof = open; let tracked = ghost; group(is) }")
    assert [p.name for p in fn.params] == ["open", "closed", "ghost"]
    assert body_of(fn) is not None


# --- recovery -------------------------------------------------------------------------------------------------------


def test_parsing_goes_on_behind_a_bad_item() -> None:
    source = from_text("t.rs", "verus! {\nfn a() {}\nfn b(x) {}\nfn c() {}\nstruct 5 {}\nfn d() {}\n}".replace("\\n", "\n"))
    file = parse_file(source)
    assert [item.name for item in file.items if isinstance(item, sx.Fn)] == ["a", "c", "d"]
    places = [(source.line_column(p.span.start), p.construct) for p in file.problems]
    assert places == [((3, 7), "parameter"), ((5, 8), "struct")]
    assert "fn b" in file.problems[0].message


def test_bad_member_leaves_the_rest_of_the_impl() -> None:
    file = file_of("verus! { impl S { fn a() {} fn b(: u8) {} fn c() {} } fn d() {} }")
    impl, d = file.items
    assert isinstance(impl, sx.Impl)
    assert [item.name for item in impl.items if isinstance(item, sx.Fn)] == ["a", "c"]
    assert isinstance(d, sx.Fn)
    assert len(file.problems) == 1


def test_missing_semicolon_does_not_swallow_the_next_item() -> None:
    file = file_of("verus! { use a::b fn f() {} }")
    assert [item.name for item in file.items if isinstance(item, sx.Fn)] == ["f"]
    assert [p.construct for p in file.problems] == ["use"]


def test_unclosed_bracket_is_a_problem_and_the_rest_is_read() -> None:
    file = file_of("verus! { fn f() { ( } fn g() {} }")
    assert [item.name for item in file.items if isinstance(item, sx.Fn)] == ["f", "g"]
    assert [p.construct for p in file.problems] == ["bracket"]


def test_malformed_attribute() -> None:
    assert [p.construct for p in file_of("verus! { #[verifier:external_body] fn f() {} }").problems] == ["attribute"]


def test_conditional_compilation_does_not_vanish() -> None:
    file = file_of("verus! { fn f(x: S) requires x matches S { #[cfg(a)] y, .. } {} }")
    assert [p.construct for p in file.problems] == ["attribute"]
