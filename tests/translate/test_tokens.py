"""Tokens: joining, splitting, laziness, positions, and that no byte is lost."""

from __future__ import annotations

import pytest

from translate.source import from_text
from translate.syntax import ParseProblem
from translate.tokens import CLOSER, Group, Lexer, Token, split_operators, tokenize


def inside(text: str) -> list[Token]:
    """The tokens of `text` inside a `verus!` block."""
    tokens, problems = tokenize(from_text("t.rs", f"verus! {{ {text} }}"))
    group = tokens[2]
    assert isinstance(group, Group)
    children = group.children
    assert problems == []
    return children


def texts(text: str) -> list[str]:
    return [token.text for token in inside(text)]


def flat(tokens: list[Token]) -> list[tuple[str, str, int, int]]:
    """All tokens of a tree in order, brackets included."""
    result = []
    stack = list(reversed(tokens))
    while stack:
        token = stack.pop()
        if isinstance(token, Group):
            result.append(("open", token.text, token.start, token.start + 1))
            close = token.end - 1
            stack.append(Token("close", CLOSER[token.text], close, token.end))
            stack.extend(reversed(token.children))
        elif token.kind != "eof":
            result.append((token.kind, token.text, token.start, token.end))
    return result


@pytest.mark.parametrize(
    "operator",
    "==> <==> <== === !== =~= =~~= !~= !~~= &&& ||| -> => :: ..= ... <= >= && || << >> += <<= >>= .. @ ~".split(),
)
def test_operator_comes_as_one_token(operator: str) -> None:
    assert texts(f"a {operator} b") == ["a", operator, "b"]
    assert texts(f"a{operator}b") == ["a", operator, "b"]


def test_operators_join_only_where_they_touch() -> None:
    assert texts("a = = > b") == ["a", "=", "=", ">", "b"]
    assert texts("a == > b") == ["a", "==", ">", "b"]
    assert texts("a =/**/= b") == ["a", "=", "=", "b"]


@pytest.mark.parametrize(
    ("run", "parts"),
    [
        ("==>!", ["==>", "!"]),
        ("&&*", ["&&", "*"]),
        ("<-", ["<", "-"]),
        ("@=~=", ["@", "=~="]),
        ("|->", ["|", "->"]),
        ("!==", ["!=="]),
        (">>=", [">>="]),
        ("||&", ["||", "&"]),
        ("=~", ["=", "~"]),
        ("#!", ["#", "!"]),
    ],
)
def test_runs_are_cut_longest_first(run: str, parts: list[str]) -> None:
    assert split_operators(run) == parts


def test_tilde_keeps_its_position() -> None:
    text = "verus! { é =~= b }"
    tokens, problems = tokenize(from_text("t.rs", text))
    group = tokens[2]
    assert isinstance(group, Group)
    operator = group.children[1]
    assert (operator.text, operator.start) == ("=~=", len("verus! { é ".encode()))
    assert problems == []


def test_literals_and_lifetimes() -> None:
    kinds = [(token.kind, token.text) for token in inside('\'a \'x\' b\'y\' "s\\"" r#"t"# b"u" c"v" 1_0 0xffu8 1.5e3')]
    assert kinds == [
        ("lifetime", "'a"),
        ("char", "'x'"),
        ("char", "b'y'"),
        ("str", '"s\\""'),
        ("str", 'r#"t"#'),
        ("str", 'b"u"'),
        ("str", 'c"v"'),
        ("int", "1_0"),
        ("int", "0xffu8"),
        ("float", "1.5e3"),
    ]


def test_number_takes_the_suffix_that_touches_it() -> None:
    assert texts("5int 3nat 0xffint") == ["5int", "3nat", "0xffint"]
    assert texts("5 int") == ["5", "int"]
    assert texts("1.max(2)") == ["1", ".", "max", "("]


def test_keyword_lifetime_and_raw_identifier() -> None:
    assert [(t.kind, t.text) for t in inside("&'static r#type")] == [
        ("punct", "&"),
        ("lifetime", "'static"),
        ("ident", "r#type"),
    ]


def test_comments_vanish() -> None:
    assert texts("/// doc\n a /* x /* nested */ y */ b // c\n c") == ["a", "b", "c"]


def test_brackets_in_strings_and_characters_do_not_count() -> None:
    assert texts('f(")", \')\', r#"("#) b') == ["f", "(", "b"]


def test_groups_are_lazy() -> None:
    tokens, _ = tokenize(from_text("t.rs", "verus! { fn f() { a; b; c } }"))
    block = tokens[2]
    assert isinstance(block, Group)
    body = block.children[3]
    assert isinstance(body, Group)
    assert body._tokens is None
    assert [token.text for token in body.children] == ["a", ";", "b", ";", "c"]
    assert body.tokens()[-1].kind == "eof"


def test_group_span_includes_its_brackets() -> None:
    source = from_text("t.rs", "verus! { f[a] }")
    group = tokenize(source)[0][2]
    assert isinstance(group, Group)
    index = group.children[1]
    assert source.snippet((index.start, index.end)) == "[a]"


RUST = """
#![allow(dead_code)]
use std::{collections::HashMap, fmt as f};
macro_rules! m { ($x:expr, $($y:tt)*) => { $x + 1 }; }
#[derive(Clone, Debug)]
pub struct S<'a, T: Clone + 'a>(pub &'a T, [u8; 4]);
impl<'a, T: Clone> S<'a, T> {
    pub fn g(&'a self, v: Vec<Vec<u8>>) -> impl Iterator<Item = u8> + 'a where T: Copy {
        let a = v[0][1] as u64 >> 2;
        let b = if a >= 1 && !(a < 2) || a == 3 { -1.5 } else { 2. };
        'outer: loop { break 'outer; }
        match v.first() { Some(&ref x) if x.len() > 0 => (), _ => return, }
        println!("{} }} {{", '}');
        v.into_iter().flat_map(|x| x).chain(b"z".iter().copied())
    }
}
"""


@pytest.mark.parametrize("text", [RUST, f"verus! {{ {RUST} }}", "fn f() { a ~ b =~= c }", 'fn f() { let s = "é"; }'])
def test_tree_sitter_and_scanner_agree(text: str) -> None:
    source = from_text("t.rs", text)
    assert flat(Lexer(source).file_tokens()) == flat(Lexer(source).scan(0, len(source.data)))


def test_no_byte_is_lost() -> None:
    text = "verus! { spec fn f(x: int) -> bool { x =~= 1 ==> $y ~ #[a] 'b } } fn g() { a.0.1 }"
    source = from_text("t.rs", text)
    covered = "".join(token[1] for token in flat(Lexer(source).file_tokens()))
    assert covered == text.replace(" ", "")


# --- what is wrong ---


def problems_of(text: str) -> list[tuple[int, str, str]]:
    lexer = Lexer(from_text("t.rs", text))
    flat(lexer.file_tokens())

    def brief(problem: ParseProblem) -> tuple[int, str, str]:
        return problem.span.start, problem.construct, problem.message

    return [brief(problem) for problem in lexer.problems]


def test_unclosed_bracket_is_reported_where_it_opens() -> None:
    assert problems_of("verus! { fn f() { (a } }") == [(18, "bracket", "`(` is never closed")]


def test_stray_closing_bracket() -> None:
    assert problems_of("fn f() { a ) }") == [(11, "bracket", "`)` has no opening bracket")]


def test_brackets_open_at_the_end_make_one_problem() -> None:
    assert problems_of("verus! { fn f() { (") == [(7, "bracket", "`{` is never closed (nor are 2 brackets inside it)")]


def test_unterminated_string_and_comment() -> None:
    assert (9, "token", "a string literal that is never closed") in problems_of('fn f() { "abc }')
    assert (0, "token", "a block comment that is never closed") in problems_of("/* a /* b */ fn f() {}")


def test_character_that_starts_no_token() -> None:
    assert problems_of("verus! { a \\ b }") == [(11, "token", "a character that starts no token")]


def test_list_of_bracket_problems_ends() -> None:
    assert len(problems_of(")" * 500)) == 20
