"""`macro_rules!`: the expansion of a file's own macros in expression position.

In: a `MacroDef` and the tokens of a call. Out: the expression that the call expands to. Rules are tried in order, as in the Rust
reference ("Macros by example"): literal tokens must agree, `$x:expr` takes an expression, `$x:ident`, `$x:tt`, `$x:ty`,
`$x:literal`, `$x:path` their kind, `$( … ) sep rep` repeats. An expression fragment is put into the result as a unit, so that
precedence around it cannot change its meaning.

Raises `ExpansionError` where no rule fits, or a rule needs what is not modelled here.
"""

from __future__ import annotations

from translate.parser import ParseFailure, parse_expr_from
from translate.parser.items import Items
from translate.syntax import Expr, MacroDef
from translate.tokens import Group, Token

#: What a macro variable is bound to: tokens, or (for a variable inside a repetition) one binding per round.
Binding = "list[Token] | list[dict[str, Binding]]"


#: The longest expansion: a macro can double its argument at every step.
MAX_TOKENS = 20_000


class ExpansionError(Exception):
    """The call cannot be expanded; the message says why."""


class _NoMatch(Exception):
    pass


def binders(tokens: list[Token]) -> set[str]:
    """The names that a token list binds itself: variables of closures and quantifiers, and of `let`."""
    found: set[str] = set()
    inside = False
    for i, t in enumerate(tokens):
        if isinstance(t, Group):
            found |= binders(t.children)
        elif t.text == "|":
            inside = not inside
        elif t.kind == "ident" and (
            (inside and i + 1 < len(tokens) and tokens[i + 1].text in (":", ",", "|"))
            or (i and tokens[i - 1].text in ("let", "mut", "ref", "@"))
        ):
            found.add(t.text)
        elif t.text == "=>" and i:  # a match arm: every plain name of its pattern may bind
            found |= {p.text for p in tokens[max(0, i - 6) : i] if p.kind == "ident"}
    return found


def identifiers(tokens: list[Token]) -> set[str]:
    """The names that stand alone in a token list: not fields, not macro variables, not qualified."""
    found: set[str] = set()
    for i, t in enumerate(tokens):
        if isinstance(t, Group):
            found |= identifiers(t.children)
        elif t.kind == "ident":
            before = tokens[i - 1].text if i else ""
            after = tokens[i + 1].text if i + 1 < len(tokens) else ""
            if before not in (".", "$", "::", "->") and after not in ("::", "!"):
                found.add(t.text)
    return found


def expand(macro: MacroDef, body: Group, local_names: frozenset[str] = frozenset()) -> Expr:
    """The expression that `macro!(body)` stands for, where `local_names` are the variables in scope at the call.

    Names of the macro's own text and names of its arguments never mean each other (hygiene). A call in which they could is
    refused instead of being read wrongly.
    """
    try:
        return parse_expr_from(expansion(macro, body, local_names).children)
    except ParseFailure as failure:
        raise ExpansionError(f"its expansion is no expression: {failure.message}") from None


def expansion(macro: MacroDef, body: Group, local_names: frozenset[str] | None = None) -> Group:
    """The tokens that `macro!(body)` stands for, whatever they are (an expression, statements, items), in one group. With
    `local_names`, a call is refused in which a name could be captured."""
    for matcher, transcriber in _rules(macro.body.children):
        bindings: dict[str, object] = {}
        try:
            rest = _match(matcher.children, body.children, bindings)
        except _NoMatch:
            continue
        if rest:
            continue
        if local_names is not None:
            _check_hygiene(transcriber, bindings, local_names)
        made = _transcribe(transcriber.children, bindings, transcriber)
        if _count(made, MAX_TOKENS) > MAX_TOKENS:
            raise ExpansionError(f"its expansion is longer than {MAX_TOKENS} tokens")
        end = transcriber.end - 1
        return Group("{", transcriber.start, transcriber.end, transcriber.lexer, None, [*made, Token("eof", "", end, end)])
    raise ExpansionError("no rule of it fits the call")


def _count(tokens: list[Token], limit: int) -> int:
    """How many tokens there are, inside groups too; more than the limit is counted no further."""
    count = len(tokens)
    for t in tokens:
        if count > limit:
            break
        if isinstance(t, Group):
            count += _count(t.children, limit - count)
    return count


def _check_hygiene(transcriber: Group, bindings: dict[str, object], local_names: frozenset[str]) -> None:
    own = binders(transcriber.children)
    for name in sorted(own & _names_bound_to(bindings)):
        raise ExpansionError(f"it binds `{name}`, which its argument names too")
    for name in sorted((identifiers(transcriber.children) - own) & local_names - {"self"}):
        raise ExpansionError(f"its own `{name}` is not the variable of that name at the call")


def _names_bound_to(bindings: object) -> set[str]:
    """Every name in the arguments of a call."""
    if isinstance(bindings, dict):
        return {n for v in bindings.values() for n in _names_bound_to(v)}
    if isinstance(bindings, list):
        tokens = [t for t in bindings if isinstance(t, Token)]
        nested = [d for d in bindings if isinstance(d, dict)]
        return identifiers(tokens) | {n for d in nested for n in _names_bound_to(d)}
    return set()


def _rules(tokens: list[Token]) -> list[tuple[Group, Group]]:
    rules = []
    i = 0
    while i + 2 < len(tokens):
        matcher, arrow, transcriber = tokens[i : i + 3]
        if not isinstance(matcher, Group) or arrow.text != "=>" or not isinstance(transcriber, Group):
            raise ExpansionError("its definition is of an unusual form")
        rules.append((matcher, transcriber))
        i += 4 if i + 3 < len(tokens) and tokens[i + 3].text == ";" else 3
    return rules


def _match(pattern: list[Token], tokens: list[Token], bindings: dict[str, object]) -> list[Token]:
    """Matches a prefix of the tokens; returns the rest."""
    i = 0
    while i < len(pattern):
        p = pattern[i]
        if p.text == "$" and i + 1 < len(pattern):
            after = pattern[i + 1]
            if isinstance(after, Group) and after.text == "(":
                separator, i = _repetition(pattern, i + 2)
                tokens = _match_repeat(after.children, separator, tokens, bindings)
                continue
            if i + 3 < len(pattern) and pattern[i + 2].text == ":":
                taken, tokens = _fragment(pattern[i + 3].text, tokens)
                bindings[after.text] = taken
                i += 4
                continue
            raise ExpansionError("a matcher of it is of an unusual form")
        if not tokens:
            raise _NoMatch
        t = tokens[0]
        if isinstance(p, Group):
            if not isinstance(t, Group) or t.text != p.text or _match(p.children, t.children, bindings):
                raise _NoMatch
        elif t.text != p.text or isinstance(t, Group):
            raise _NoMatch
        tokens = tokens[1:]
        i += 1
    return tokens


def _repetition(pattern: list[Token], i: int) -> tuple[str | None, int]:
    """The separator of `$( … ) sep rep` and the position behind it."""
    if i < len(pattern) and pattern[i].text in ("*", "+", "?"):
        return None, i + 1
    if i + 1 < len(pattern) and pattern[i + 1].text in ("*", "+", "?"):
        return pattern[i].text, i + 2
    raise ExpansionError("a repetition of it is of an unusual form")


def _match_repeat(inner: list[Token], separator: str | None, tokens: list[Token], bindings: dict[str, object]) -> list[Token]:
    rounds: list[dict[str, object]] = []
    while tokens:
        one: dict[str, object] = {}
        start = tokens
        if rounds and separator is not None:
            if tokens[0].text != separator or len(tokens) == 1:
                break
            start = tokens[1:]
        try:
            tokens = _match(inner, start, one)
        except _NoMatch:
            break
        rounds.append(one)
    for name in _variables(inner):
        bindings[name] = [r for r in rounds if name in r]
    return tokens


def _variables(pattern: list[Token]) -> list[str]:
    names = []
    for i, p in enumerate(pattern):
        if isinstance(p, Group):
            names += _variables(p.children)
        elif p.text == "$" and i + 2 < len(pattern) and pattern[i + 2].text == ":":
            names.append(pattern[i + 1].text)
    return names


def _fragment(kind: str, tokens: list[Token]) -> tuple[list[Token], list[Token]]:
    if not tokens:
        raise _NoMatch
    match kind:
        case "tt":
            return tokens[:1], tokens[1:]
        case "ident":
            if tokens[0].kind != "ident":
                raise _NoMatch
            return tokens[:1], tokens[1:]
        case "literal":
            if tokens[0].kind not in ("int", "float", "str", "char") and tokens[0].text not in ("true", "false"):
                raise _NoMatch
            return tokens[:1], tokens[1:]
        case "expr" | "ty" | "path" | "expr_2021":
            count = _length(kind, tokens)
            taken = tokens[:count]
            return ([_unit(taken)] if kind.startswith("expr") else taken), tokens[count:]
    raise ExpansionError(f"a matcher of it has a fragment `{kind}`")


def _length(kind: str, tokens: list[Token]) -> int:
    """How many tokens the fragment takes: as many as the grammar allows."""
    end = tokens[-1].end
    parser = Items([*tokens, Token("eof", "", end, end)], True)
    try:
        if kind.startswith("expr"):
            parser.expr()
        else:
            parser.type()
    except ParseFailure:
        raise _NoMatch from None
    return parser.i


def _unit(tokens: list[Token]) -> Token:
    """Tokens as one parenthesised group."""
    start, end = tokens[0].start, tokens[-1].end
    like = next((t for t in tokens if isinstance(t, Group)), None)
    if len(tokens) == 1 and not isinstance(tokens[0], Group):
        return tokens[0]
    inner = [*tokens, Token("eof", "", end, end)]
    return Group("(", start, end, like.lexer if like is not None else None, None, inner)  # type: ignore[arg-type]


def _transcribe(template: list[Token], bindings: dict[str, object], around: Group) -> list[Token]:
    out: list[Token] = []
    i = 0
    while i < len(template):
        t = template[i]
        if t.text == "$" and i + 1 < len(template):
            after = template[i + 1]
            if isinstance(after, Group) and after.text == "(":
                separator, i = _repetition(template, i + 2)
                out += _transcribe_repeat(after, separator, bindings, around)
                continue
            value = bindings.get(after.text)
            if value is None and after.text != "crate":
                raise ExpansionError(f"`${after.text}` is not bound")
            if after.text == "crate":
                out.append(after)
            else:
                assert isinstance(value, list)
                if any(isinstance(v, dict) for v in value):
                    raise ExpansionError(f"`${after.text}` stands outside its repetition")
                out += value
            i += 2
            continue
        if isinstance(t, Group):
            inner = _transcribe(t.children, bindings, around)
            t = Group(t.text, t.start, t.end, t.lexer, None, [*inner, Token("eof", "", t.end - 1, t.end - 1)])
        out.append(t)
        i += 1
    return out


def _transcribe_repeat(body: Group, separator: str | None, bindings: dict[str, object], around: Group) -> list[Token]:
    used = {n for n in _used(body.children) if isinstance(bindings.get(n), list)}
    repeated = {n: bindings[n] for n in used if all(isinstance(v, dict) for v in bindings[n])}  # type: ignore[attr-defined]
    if not repeated:
        raise ExpansionError("a repetition of it repeats nothing")
    counts = {len(v) for v in repeated.values()}  # type: ignore[arg-type]
    if len(counts) != 1:
        raise ExpansionError("variables of one repetition have different lengths")
    out: list[Token] = []
    for k in range(counts.pop()):
        inner = dict(bindings)
        for name, rounds in repeated.items():
            inner[name] = rounds[k][name]  # type: ignore[index]
        if k and separator is not None:
            out.append(Token("punct", separator, body.start, body.start))
        out += _transcribe(body.children, inner, around)
    return out


def _used(template: list[Token]) -> list[str]:
    names = []
    for i, t in enumerate(template):
        if isinstance(t, Group):
            names += _used(t.children)
        elif t.text == "$" and i + 1 < len(template):
            names.append(template[i + 1].text)
    return names
