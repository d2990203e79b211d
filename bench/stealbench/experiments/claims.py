"""`stealbench claims`: what textbooks and manuals claim of scheduling, put to the test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from stealbench.analysis.claims import bounds, costs, space, strategies
from stealbench.analysis.claims.evidence import FREE, MODEL_ERROR, REAL, Benchmarks, Claim
from stealbench.analysis.claims.evidence import Evidence, Finding, Verdict, both, of_theorem
from stealbench.analysis.claims.evidence import on_profiles
from stealbench.figures import Figures, figures_of
from stealbench.rawfile import RawFile
from stealbench.report.document import Column, Definitions, Paragraph, Prominence, Section, Table
from stealbench.report.format import MISSING, counted
from stealbench.report.guides import guide
from stealbench.report.parts import context_of, processors_of, text_at
from stealbench.statistics import FEWEST_FOR_INTERVAL, Estimate

NAME = "claims"
SUMMARY = (
    "Put claims of textbooks and manuals to the test: a verdict for each, computed from what is"
    " measured or simulated"
)

CLAIMS = sorted(
    bounds.CLAIMS + space.CLAIMS + costs.CLAIMS + strategies.CLAIMS, key=lambda claim: claim.number
)

PLURALS = {
    Verdict.HOLDS: "hold",
    Verdict.HOLDS_IN_MODEL: "hold in their model, not at the costs of a real machine",
    Verdict.DOES_NOT_HOLD: "do not hold",
    Verdict.UNDECIDED: "are undecided",
}

COLUMNS = (
    "seconds",
    "fork_count",
    "tasks_moved",
    "steal_attempts",
    "work_share",
    "lines_share",
)
"""What rules read of processes."""


@dataclass(frozen=True)
class Judged:
    """A claim with its finding."""

    claim: Claim
    found: Finding

    @property
    def verdict(self) -> str:
        """What is measured is said of the machine it was measured on alone."""
        is_local = not self.claim.is_simulated
        is_decided = self.found.verdict in (Verdict.HOLDS, Verdict.DOES_NOT_HOLD)
        return self.found.verdict.value + (" here" if is_local and is_decided else "")

    @property
    def machine(self) -> str:
        """`simulated` or `measured`."""
        return "simulated" if self.claim.is_simulated else "measured"


def profiles_of(raw: RawFile) -> list[str]:
    """What was simulated, but the machine without costs."""
    return sorted(set(raw.header["about"]["machines"]) - {FREE})


def _gap(figures: Figures, claim: Claim, benchmarks: Benchmarks) -> str:
    """Why there is no verdict, if there can be none."""
    raw = figures.raw
    for wanted in benchmarks:
        name = wanted.name
        if name not in raw.cells:
            return (
                f"The run lacks {name}: another version of stealbench made it; stealbench claims"
                f" --only {claim.number} measures anew."
            )
        if name not in figures.times:
            return f"{name} did not finish: {figures.table.at[name, 'failure']}."
        rounds = len(figures.times[name])
        if rounds < FEWEST_FOR_INTERVAL:
            return f"A verdict needs {FEWEST_FOR_INTERVAL} rounds, and there are {rounds}."
        is_shared = wanted.workers > processors_of(raw) > 0
        if wanted.machine == REAL and not is_shared and figures.table.at[name, "is_disturbed"]:
            return f"{name} waited for processors in a third of its rounds: measure again."
    return ""


def _evidence_of(figures: Figures, benchmarks: Benchmarks) -> Evidence:
    raw = figures.raw
    names = {wanted.name for wanted in benchmarks}
    rows = figures.rounds[figures.rounds["cell"].isin(names)]
    known = [column for column in COLUMNS if column in rows]
    rounds = {
        str(name): {column: of_cell[column].to_numpy(float) for column in known}
        for name, of_cell in rows.groupby("cell")
    }
    records = raw.header["about"]["recorded"]
    return Evidence(benchmarks, rounds, raw.counters, records, processors_of(raw))


def finding_of(
    claim: Claim, evidence_of: Callable[[Benchmarks], Evidence], profiles: Sequence[str]
) -> Finding:
    """Of a theorem, at costs and in its model together."""
    found = claim.rule(evidence_of(on_profiles(claim.benchmarks, profiles)))
    if claim.in_model is None:
        return found
    in_model = claim.in_model.rule(evidence_of(claim.in_model.benchmarks))
    verdict = both(of_theorem(in_model.verdict, found.verdict), found.beyond_theorem)
    because = f"{found.because} Where only work takes time: {in_model.because}"
    return Finding(found.figure, verdict, because, figure_in_model=in_model.figure)


def judge(raw: RawFile) -> list[Judged]:
    """The claims that were asked for."""
    figures, profiles = figures_of(raw), profiles_of(raw)
    all_judged = []
    for claim in CLAIMS:
        if claim.number not in raw.header["about"]["claims"]:
            continue
        if gap := _gap(figures, claim, claim.all_benchmarks(profiles)):
            found = Finding(None, Verdict.UNDECIDED, gap)
        else:
            found = finding_of(claim, lambda wanted: _evidence_of(figures, wanted), profiles)
        all_judged.append(Judged(claim, found))
    return all_judged


def _figure_text(figure: Estimate | None) -> str:
    """`2.89 [2.36, 4.09]`."""
    if figure is None:
        return MISSING
    return f"{figure.median:.3g} [{figure.low:.3g}, {figure.high:.3g}]"


def _figures_of(judged: Judged) -> str:
    claim = judged.claim
    text = f"{claim.text('figure')}: {_figure_text(judged.found.figure)}"
    if claim.in_model is None:
        return text
    other = claim.text("figure_in_model")
    without = _figure_text(judged.found.figure_in_model)
    return f"{text}; without costs{f', {other}' if other else ''}: {without}"


def _machines(claims: Sequence[Claim], raw: RawFile) -> str:
    """What `here` is, and on which machines was simulated."""
    sentences = []
    if not all(claim.is_simulated for claim in claims):
        processors = counted(processors_of(raw), "processor")
        processor = text_at(context_of(raw), "processor")
        sentences.append(f"Measured, here: on {processor}, {processors}.")
    if any(claim.is_simulated for claim in claims):
        sentences.append(f"Simulated: on the profiles {', '.join(profiles_of(raw))}.")
    if any(claim.in_model for claim in claims):
        sentences.append("Without costs: simulated where only work takes time.")
    return " ".join(sentences)


def sections(raw: RawFile) -> list[Section]:
    """How many claims hold, a verdict for each, and why."""
    headers = {
        "#": False,
        "claim": True,
        "source": True,
        "verdict": True,
        "machine": True,
        "figure (if the claim holds), with its interval": True,
    }
    columns = [Column(header, is_name) for header, is_name in headers.items()]
    table = Table("Claims of textbooks and manuals", columns)
    all_judged = judge(raw)
    reasons = []
    for judged in all_judged:
        claim = judged.claim
        texts = [str(claim.number), claim.text(), claim.text("source")]
        texts += [judged.verdict, judged.machine]
        table.rows.append([*texts, _figures_of(judged)])
        term = f"{claim.number}. {claim.text()} ({claim.text('source')})"
        reasons.append((term, f"{judged.verdict}. {judged.found.because}"))
    counts = Counter(judged.found.verdict for judged in all_judged)
    number = "; ".join(f"{counts[verdict]} {plural}" for verdict, plural in PLURALS.items())
    machines = _machines([judged.claim for judged in all_judged], raw)
    summary = Section("Claims put to the test", shown=Prominence.SUMMARY)
    summary.blocks += [
        Paragraph(f"Of {counted(len(all_judged), 'claim')}, {number}."),
        Paragraph(machines),
        table,
    ]
    why = Section("Why", [Definitions(reasons)], Prominence.TABLES)
    return [summary, why, guide("How a claim is judged", factor=MODEL_ERROR)]


def values(raw: RawFile) -> list[dict[str, Any]]:
    """One object with the member `claims`."""

    def of(figure: Estimate | None) -> dict[str, float | None]:
        return dict(zip(("figure", "low", "high"), figure or (None, None, None)))

    entries = []
    for judged in judge(raw):
        claim, found = judged.claim, judged.found
        entries.append(
            {
                "number": claim.number,
                "claim": claim.text(),
                "source": claim.text("source"),
                "machine": judged.machine,
                "without_costs": of(found.figure_in_model) if claim.in_model else None,
                "verdict": found.verdict.value,
                "because": found.because,
                **of(found.figure),
            }
        )
    return [{"claims": entries}]
