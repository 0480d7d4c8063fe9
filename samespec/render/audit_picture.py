"""What a picture of a closure shows, and where each box stands.

In: an `AuditReport`. Out: a `Picture`: boxes with lines of text, class, place and position, and arrows between them. Escapes come
first: their boxes, and those on the way to them, are drawn each on its own and from the left; everything that is proved and leads
nowhere bad is folded into one box per reader, and so are vstd and the trusted parts, so that a person sees at once what is wrong.

Layout: layers by distance from the target, left to right; within a layer the worst first, then by the mean position of the
neighbours to the left (the barycentre method of Sugiyama, Tagawa and Toda, 1981).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from depgraph.hatches import catalogue
from depgraph.model import AuditReport, Trust
from equiv.verdict import Place
from samespec.render.audit_text import verdict

CHARACTER, BOLD = 7.8, 8.6  # width of a character of the pictures' font, plain and bold, in pixels
LINE, PAD, GAP_X, GAP_Y = 17, 10, 104, 18
LONGEST = 46  # characters of a line
ALONE = 14  # up to so many boxes in a class nothing is folded

COLOURS = {
    Trust.ESCAPED: "escaped",
    Trust.DIVERGES: "diverges",
    Trust.UNVERIFIED: "unverified",
    Trust.UNRESOLVED: "unresolved",
    Trust.TRUSTED_ORIGINAL: "trusted-original",
    Trust.TRUSTED_VSTD: "trusted-vstd",
    Trust.PROVED: "proved",
}


@dataclass(slots=True)
class Box:
    """One box: `key` is unique; `lines` are its text, the first its title; `folded` lists the nodes inside a folded one."""

    key: str
    lines: list[str]
    trust: Trust
    place: Place | None
    layer: int
    target: bool = False
    folded: list[str] = field(default_factory=list)
    tip: str = ""
    x: float = 0
    y: float = 0
    width: float = 0
    height: float = 0
    #: the right edge of the layer's widest box: arrows leave from there
    edge: float = 0


@dataclass(frozen=True, slots=True)
class Arrow:
    source: str
    target: str
    kind: str
    certain: bool
    bad: bool  # on the way to something fatal


@dataclass(slots=True)
class Picture:
    title: str
    boxes: dict[str, Box]
    arrows: list[Arrow]
    width: float = 0
    height: float = 0


def picture(report: AuditReport) -> Picture:
    """The picture of one target's closure, laid out."""
    bad = _ways(report)
    home = _folds(report, bad)
    boxes: dict[str, Box] = {}
    layers = _layers(report)
    for key in report.trust:
        at = home[key]
        if at == key:
            boxes[key] = _box(report, key, layers[key])
        else:
            box = boxes.setdefault(at, Box(at, [], report.trust[key], None, layers[key]))
            box.folded.append(key)
            box.layer = min(box.layer, layers[key])
    for box in boxes.values():
        if box.folded:
            _fold_text(box)
    arrows: dict[tuple[str, str], Arrow] = {}
    for e in report.edges:
        a, b = home.get(e.source), home.get(e.target)
        if a is None or b is None or a == b:
            continue
        known = arrows.get((a, b))
        on_the_way = e.source in bad and e.target in bad
        if known is None or (on_the_way and not known.bad) or (e.certain and not known.certain):
            arrows[a, b] = Arrow(a, b, e.kind, e.certain, on_the_way or (known is not None and known.bad))
    result = Picture(f"{report.target}: {verdict(report)}", boxes, list(arrows.values()))
    for box in boxes.values():
        if box.folded and box.trust is not Trust.PROVED:  # read from everywhere: to the right of all its readers
            box.layer = 1 + max((boxes[a.source].layer for a in result.arrows if a.target == box.key), default=box.layer - 1)
    _place_boxes(result)
    return result


def _ways(report: AuditReport) -> set[str]:
    """The nodes on a shortest way from the target to something that is not right."""
    found: set[str] = set()
    for r in report.reported:
        if r.trust is not None and (r.trust.fatal or r.trust is Trust.UNRESOLVED):
            found |= {report.target, r.finding.node, *(s.node for s in r.path)}
    return found


def _folds(report: AuditReport, bad: set[str]) -> dict[str, str]:
    """For each node the box that shows it: its own, or a folded one."""
    home: dict[str, str] = {}
    by_class: dict[Trust, list[str]] = {}
    for key, trust in report.trust.items():
        by_class.setdefault(trust, []).append(key)
    total = len(report.trust)
    for key, trust in report.trust.items():
        own = key == report.target or key in bad or trust.fatal or trust is Trust.UNRESOLVED
        small = trust is Trust.PROVED and total <= 3 * ALONE and len(by_class[trust]) <= ALONE
        if trust is Trust.TRUSTED_ORIGINAL:
            small = len(by_class[trust]) <= ALONE
        if own or small:
            home[key] = key
        elif trust is Trust.PROVED:
            home[key] = f"fold {trust} {report.nodes[key].role}"
        else:
            home[key] = f"fold {trust}"
    return home


def _layers(report: AuditReport) -> dict[str, int]:
    """The distance of each node from the target."""
    layers = {report.target: 0}
    following: dict[str, list[str]] = {}
    for e in report.edges:
        following.setdefault(e.source, []).append(e.target)
    queue = [report.target]
    for key in queue:
        for target in following.get(key, ()):
            if target not in layers:
                layers[target] = layers[key] + 1
                queue.append(target)
    return layers


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _box(report: AuditReport, key: str, layer: int) -> Box:
    info, trust = report.nodes[key], report.trust[key]
    shown = key.removeprefix("crate::")
    lines = [shown if len(shown) <= LONGEST else "…" + shown[-LONGEST + 1 :]]
    role = {"proof": "lemma", "exec": "executable", "spec": "spec", "type": "type"}.get(info.role, info.kind)
    lines.append(f"{role} · {trust}")
    records = catalogue()
    tips = []
    for r in report.reported:
        if r.finding.node == key:
            tips.append(f"{r.finding.place}: {records[r.finding.hatch].name}: {r.finding.what}")
            if r.trust is not None and len(lines) < 6:
                text = _short(r.finding.what)
                if text not in lines:
                    lines.append(text)
    place = info.place
    first = next((r for r in report.reported if r.finding.node == key and r.trust is not None), None)
    if first is not None:
        place = first.finding.place
    if place is not None:
        lines.append(f"{place.file.rsplit('/', 1)[-1]}:{place.line}:{place.column}")
    return Box(key, lines, trust, place, layer, key == report.target, tip="\n".join(tips) or key)


_FOLDED = {"proof": "proved lemmas", "exec": "verified functions", "spec": "spec definitions", "type": "types"}


def _fold_text(box: Box) -> None:
    count = len(box.folded)
    parts = box.key.split(" ")
    if box.trust is Trust.PROVED:
        title = _FOLDED.get(parts[-1], "others")
    else:
        title = "from vstd and std" if box.trust is Trust.TRUSTED_VSTD else "trusted by the original"
    names = [k.rsplit("::", 1)[-1] for k in box.folded]
    shown = ", ".join(names[:4]) + (", …" if count > 4 else "")
    box.lines = [f"{count} {title}", _short(shown)]
    box.tip = "\n".join(box.folded[:60]) + ("\n…" if count > 60 else "")


def _place_boxes(p: Picture) -> None:
    for box in p.boxes.values():
        box.width = max(BOLD * len(box.lines[0]), *(CHARACTER * len(line) for line in box.lines)) + 2 * PAD
        box.height = len(box.lines) * LINE + 2 * PAD - 4
    before: dict[str, list[str]] = {}
    for a in p.arrows:
        before.setdefault(a.target, []).append(a.source)
    layers: dict[int, list[Box]] = {}
    for box in p.boxes.values():
        layers.setdefault(box.layer, []).append(box)
    x: float = PAD * 2
    centre: dict[str, float] = {}
    bottoms: list[float] = []
    for number in sorted(layers):
        row = layers[number]
        bad = {a.target for a in p.arrows if a.bad} | {b.key for b in row if b.trust.fatal}

        def order(box: Box, bad: set[str] = bad) -> tuple[int, int, float, str]:
            seen = [centre[k] for k in before.get(box.key, ()) if k in centre]
            first = 0 if box.key in bad else 1 if not box.folded else 2
            return first, -box.trust.rank, sum(seen) / len(seen) if seen else 0.0, box.key

        row.sort(key=order)
        y: float = 56
        for box in row:
            if box.folded and box.trust is not Trust.PROVED:  # below everything: its arrows cross little there
                y = max([y, *bottoms])
            box.x, box.y = x, y
            centre[box.key] = y + box.height / 2
            y += box.height + GAP_Y
        bottoms.append(y)
        widest = max(b.width for b in row)
        for box in row:
            box.edge = x + widest
        x += widest + GAP_X
    p.width, p.height = max(x - GAP_X + 2 * PAD, 10 * len(p.title) + 4 * PAD), max(bottoms) + PAD
