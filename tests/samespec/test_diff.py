"""`samespec diff`: which contracts changed between two revisions; over many commits it finds what the slow way finds."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from equiv.check import check_sources
from equiv.decide import DEFAULT_BUDGET
from samespec.main import cli
from samespec.revisions import diff as revisions_diff
from samespec.revisions.diff import DiffReport, diff_contracts, unchanged
from samespec.revisions.git import Repository, Sides
from translate.source import from_text

HEAD = "use vstd::prelude::*;\nverus! {\n"
TAIL = "\nfn main() { }\n}\n"
CLAMP = """fn clamp(x: u32, most: u32) -> (r: u32)
    requires most < 1000,
    ensures r <= most, x <= most ==> r == x,
{
    if x > most { most } else { x }
}
"""
FIRST = """fn first(v: &Vec<u8>) -> (r: u8)
    requires v.len() > 0,
    ensures r == v[0],
{
    v[0]
}
"""


class Git:
    """A repository for a test, with nothing of the user's own configuration."""

    def __init__(self, top: Path) -> None:
        self.top = top
        self.run("init", "--quiet", "--initial-branch=main")

    def run(self, *arguments: str) -> str:
        who = {f"GIT_{r}_{w}": "test" for r in ("AUTHOR", "COMMITTER") for w in ("NAME", "EMAIL")}
        env = {**os.environ, **who, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        done = subprocess.run(["git", *arguments], cwd=self.top, env=env, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def write(self, **files: str | None) -> None:
        for name, text in files.items():
            path = self.top / f"{name}.rs"
            if text is None:
                path.unlink()
            else:
                path.write_text(HEAD + text + TAIL, encoding="utf-8")

    def commit(self, **files: str | None) -> str:
        self.write(**files)
        self.run("add", "--all")
        self.run("commit", "--quiet", "--allow-empty", "--message", "change")
        return self.run("rev-parse", "HEAD")


@pytest.fixture
def git(tmp_path: Path) -> Git:
    return Git(tmp_path)


def difference(git: Git, base: str = "HEAD", head: str = "", *, staged: bool = False) -> DiffReport:
    repository = Repository(git.top)
    ends = [repository.commit(r) or "" if r else "" for r in (base, head)]
    return diff_contracts(repository, Sides(ends[0], ends[1], staged), budget=DEFAULT_BUDGET)


def verdicts(diff: DiffReport) -> dict[str, str]:
    return {t.target: str(t.verdict) for f in diff.files for t in f.changed}


def run(git: Git, *arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, ["diff", "-C", str(git.top), *arguments], standalone_mode=False)
    assert done.exception is None, done.exception
    return int(done.return_value), done.output


# --- what changes, and where it is looked for -----------------------------------------------------------------------------


def test_the_working_tree_the_index_and_commits(git: Git) -> None:
    git.commit(a=CLAMP)
    git.write(a=CLAMP.replace("r <= most,", ""))
    assert verdicts(difference(git)) == {"crate::clamp": "weakened"}
    assert verdicts(difference(git, staged=True)) == {}
    git.run("add", "--all")
    assert verdicts(difference(git, staged=True)) == {"crate::clamp": "weakened"}
    git.commit(a=CLAMP)
    assert verdicts(difference(git, "HEAD~1", "HEAD")) == {}


def test_a_body_is_no_contract(git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    git.commit(a=CLAMP)
    git.write(a=CLAMP.replace("if x > most { most } else { x }", "if most < x { most } else { x }"))
    monkeypatch.setattr(revisions_diff, "check_sources", None)  # nothing is checked
    diff = difference(git)
    assert (diff.skipped, diff.files, diff.kept()) == (1, (), True)


def test_a_rewritten_contract_is_kept_and_listed(git: Git) -> None:
    git.commit(a=CLAMP)
    git.write(a=CLAMP.replace("x <= most ==> r == x", "!(r == x) ==> x > most"))
    diff = difference(git)
    assert (verdicts(diff), diff.kept()) == ({"crate::clamp": "equivalent"}, True)


def test_a_comment_changes_nothing(git: Git) -> None:
    git.commit(a=CLAMP)
    git.write(a=CLAMP.replace("    requires", "    // the limit\n    requires"))
    assert verdicts(difference(git)) == {}


def test_a_body_that_holds_an_implementation_is_looked_at(git: Git) -> None:
    shape = "struct W { v: u8 }\nimpl W { spec fn ok(&self) -> bool { self.big() } }\n"
    shape += "fn f(w: W) -> (r: bool) ensures r == w.ok() { BODY }"
    inner = "impl W {{ spec fn big(&self) -> bool {{ self.v > {} }} }} false"
    git.commit(a=shape.replace("BODY", inner.format(3)))
    git.write(a=shape.replace("BODY", inner.format(4)))
    assert verdicts(difference(git)) != {}


# --- functions that move ---------------------------------------------------------------------------------------------------


def moved(diff: DiffReport) -> dict[str, str]:
    return {target: str(where) for f in diff.files for target, where in f.moved.items()}


def test_into_a_module(git: Git) -> None:
    git.commit(a=CLAMP + FIRST)
    git.write(a=f"{FIRST}pub mod inner {{\nuse super::*;\npub {CLAMP}}}\n")
    diff = difference(git)
    assert (verdicts(diff), moved(diff)) == ({"crate::clamp": "equivalent"}, {"crate::clamp": "a.rs: crate::inner::clamp"})


def test_into_another_file_and_weakened(git: Git) -> None:
    git.commit(a=CLAMP + FIRST, b="fn other() { }")
    git.write(a=FIRST, b="fn other() { }\n" + CLAMP.replace("r <= most,", "r <= most + 1,"))
    diff = difference(git)
    assert verdicts(diff) == {"crate::clamp": "weakened"}
    assert moved(diff) == {"crate::clamp": "b.rs: crate::clamp"}


def test_renamed(git: Git) -> None:
    git.commit(a=CLAMP + FIRST)
    git.write(a=CLAMP.replace("clamp", "limit") + FIRST)
    diff = difference(git)
    assert (verdicts(diff), moved(diff)) == ({"crate::clamp": "equivalent"}, {"crate::clamp": "a.rs: crate::limit"})


def test_two_that_could_be_it_are_not_followed(git: Git) -> None:
    git.commit(a=CLAMP)
    git.write(a=CLAMP.replace("clamp", "one") + CLAMP.replace("clamp", "two"))
    assert verdicts(difference(git)) == {"crate::clamp": "missing"}


def test_a_renamed_file(git: Git) -> None:
    git.commit(a=CLAMP + FIRST)
    git.run("mv", "a.rs", "b.rs")
    assert verdicts(difference(git)) == {}
    git.write(b=CLAMP.replace("most < 1000", "most < 10") + FIRST)
    assert verdicts(difference(git)) == {"crate::clamp": "weakened"}


def test_a_removed_file(git: Git) -> None:
    git.commit(a=CLAMP, b=FIRST)
    git.write(a=None)
    assert verdicts(difference(git)) == {"crate::clamp": "missing"}


def test_a_new_function_is_no_change(git: Git) -> None:
    git.commit(a=CLAMP)
    git.write(a=CLAMP + FIRST)
    diff = difference(git)
    assert (verdicts(diff), [f.fresh for f in diff.files]) == ({}, [("crate::first",)])


# --- definitions in other files ---------------------------------------------------------------------------------------------

USER = "use crate::spec::small;\nfn f(x: u8) -> (r: bool) ensures r == small(x) { x < 3 }"


@pytest.mark.parametrize(
    "user", [USER, USER.replace("x < 3 }", "x <= 2 }"), USER.replace("r == small", "small(x) == r && r == small")]
)
def test_a_definition_that_changes_in_another_file(git: Git, user: str) -> None:
    git.commit(spec="pub open spec fn small(x: u8) -> bool { x < 3 }", user=USER)
    git.write(spec="pub open spec fn small(x: u8) -> bool { x < 4 }", user=user)
    diff = difference(git)
    assert (verdicts(diff), diff.kept()) == ({"crate::f": "undecided"}, None)


def test_a_type_that_changes_in_another_file(git: Git) -> None:
    user = "use crate::types::Account;\nfn f(a: &Account) -> (r: bool) ensures r { true }"
    git.commit(types="pub struct Account { pub sum: u64 }", user=user, other="fn g(x: u8) -> (r: u8) ensures r == x { x }")
    git.write(types="pub struct Account { pub sum: u8 }")
    assert verdicts(difference(git)) == {"crate::f": "undecided"}


def test_a_definition_that_is_rewritten_in_another_file(git: Git) -> None:
    git.commit(spec="pub open spec fn small(x: u8) -> bool { x < 3 }", user=USER)
    git.write(spec="pub open spec fn small(x: u8) -> bool { !(x >= 3) }")
    assert verdicts(difference(git)) == {}


# --- the slow way -----------------------------------------------------------------------------------------------------------

KINDS: list[tuple[str, Callable[[str, random.Random], str]]] = [
    ("body", lambda t, r: t.replace("if x > most", "if most < x")),
    ("limit", lambda t, r: t.replace("1000", str(r.randrange(10, 2000)))),
    ("promise", lambda t, r: t.replace("r <= most,", "r <= most + 0," if r.random() < 0.5 else "r < most + 2,")),
    ("back", lambda t, r: CLAMP + FIRST),
    ("order", lambda t, r: t.replace("r <= most, x <= most ==> r == x", "x <= most ==> r == x, r <= most")),
    ("index", lambda t, r: t.replace("r == v[0]", "r == v@[0]")),
    ("comment", lambda t, r: t + "// a comment\n"),
    ("external", lambda t, r: t.replace("fn first", "#[verifier::external]\nfn first", 1)),
]


def history(git: Git, commits: int) -> Iterator[str]:
    chance = random.Random(5)
    files = dict.fromkeys(("a", "b", "c"), CLAMP + FIRST)
    yield git.commit(**files)
    for _ in range(commits):
        name = chance.choice(list(files))
        for _, edit in chance.sample(KINDS, chance.randrange(1, 3)):
            files[name] = edit(files[name], chance)
        yield git.commit(**{name: files[name]})


def test_two_hundred_commits_against_the_slow_way(git: Git) -> None:
    found = slow = 0
    before: str | None = None
    texts: dict[str, str] = {}
    for commit in history(git, 200):
        now = {p.name: p.read_text(encoding="utf-8") for p in sorted(git.top.glob("*.rs"))}
        if before is not None:
            want = set()
            for name, text in now.items():
                report = check_sources(from_text(name, texts[name]), from_text(name, text))
                want |= {(name, t.target, str(t.verdict)) for t in report.targets if not unchanged(t)}
            diff = difference(git, before, commit)
            got = {(f.change.new, t.target, str(t.verdict)) for f in diff.files for t in f.changed}
            assert got == want, commit
            found, slow = found + len(got), slow + len(want)
        before, texts = commit, now
    assert found == slow > 100


# --- the command ------------------------------------------------------------------------------------------------------------


def test_the_command_puts_what_is_broken_first(git: Git) -> None:
    git.commit(a=FIRST + CLAMP)
    git.write(a=FIRST.replace("r == v[0]", "v@[0] == r") + CLAMP.replace("r <= most,", ""))
    status, text = run(git)
    assert status == 1
    assert text.index("crate::clamp: weakened") < text.index("crate::first: equivalent")
    assert text.rstrip().endswith("→ working tree: 2 contracts changed (1 not kept, 1 kept)")


def test_the_command_takes_revisions_and_paths(git: Git) -> None:
    git.commit(a=CLAMP, b=CLAMP)
    git.run("branch", "start")
    git.commit(a=CLAMP.replace("r <= most,", ""), b=CLAMP.replace("r <= most,", "true,"))
    assert run(git, "start", "HEAD", "b.rs")[1].count("crate::clamp: weakened") == 1
    assert run(git, "start..")[1].count("crate::clamp: weakened") == 2
    assert run(git, "start...HEAD", "a.rs")[0] == 1
    assert run(git, "start..start")[0] == 0


def test_json(git: Git) -> None:
    git.commit(a=CLAMP)
    git.write(a=CLAMP.replace("r <= most,", ""))
    status, text = run(git, "--format", "json")
    document = json.loads(text)
    schema = Path(__file__).parents[2] / "samespec" / "schemas" / "diff-1.json"
    jsonschema.validate(document, json.loads(schema.read_text(encoding="utf-8")))
    assert document["exit_status"] == status == 1
    assert document["files"][0]["changed"][0]["reasons"][0]["counterexample"]["replayed"] is True


@pytest.mark.parametrize("output", ["html", "sarif", "junit", "markdown", "github"])
def test_reports(git: Git, output: str) -> None:
    git.commit(a=CLAMP)
    git.write(a=CLAMP.replace("r <= most,", ""))
    status, text = run(git, "--format", output)
    assert status == 1
    assert "a.rs" in text and "clamp" in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "nowhere: neither a revision nor a file"),
        (["--staged", "HEAD", "HEAD"], "--staged compares with the index"),
    ],
)
def test_usage(git: Git, arguments: list[str], said: str) -> None:
    git.commit(a=CLAMP)
    done = CliRunner().invoke(cli, ["diff", "-C", str(git.top), *arguments])
    assert done.exit_code == 2 and said in done.output


def test_outside_a_repository(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["diff", "-C", str(tmp_path)], env={"GIT_CEILING_DIRECTORIES": str(tmp_path.parent)})
    assert done.exit_code != 0 and "not a git repository" in done.output


def test_a_repository_without_a_commit(git: Git) -> None:
    done = CliRunner().invoke(cli, ["diff", "-C", str(git.top)])
    assert done.exit_code != 0 and "no commit yet" in done.output


# --- the GitHub Action -------------------------------------------------------------------------------------------------------

ACTION = Path(__file__).parents[2] / "scripts" / "action.sh"


def act(git: Git, **settings: str) -> subprocess.CompletedProcess[str]:
    """What action.yml runs, with the settings that it hands over."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {"PATH": path, "HOME": str(git.top), **{f"SAMESPEC_{k}": v for k, v in settings.items()}}
    env["GITHUB_STEP_SUMMARY"] = str(git.top / "summary.md")
    return subprocess.run(["bash", str(ACTION)], cwd=git.top, env=env, capture_output=True, text=True, check=False)


def test_the_action_annotates_and_fails(git: Git) -> None:
    base = git.commit(a=CLAMP)
    git.commit(a=CLAMP.replace("r <= most,", ""))
    done = act(git, BASE=base, SARIF="found.sarif")
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("::error file=")
    assert "| ✗ | `crate::clamp` | weakened |" in (git.top / "summary.md").read_text(encoding="utf-8")
    assert json.loads((git.top / "found.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]


def test_the_action_passes(git: Git) -> None:
    git.commit(a=CLAMP)
    git.commit(a=CLAMP.replace("if x > most", "if most < x"))
    assert act(git).returncode == 0


def test_the_action_says_when_its_base_is_not_there(git: Git) -> None:
    git.commit(a=CLAMP)
    done = act(git, BASE="f" * 40)
    assert done.returncode == 2 and "neither a revision nor a file" in done.stderr
