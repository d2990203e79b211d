"""The texts that explain reports, from guides.md: a section of each heading."""

from __future__ import annotations

import functools
from pathlib import Path

from stealbench.report.document import Definitions, Paragraph, Prominence, Section


@functools.cache
def _guides() -> dict[str, tuple[str, tuple[tuple[str, str], ...]]]:
    """By heading its paragraph, and its terms with their meanings."""
    guides = {}
    for part in (
        Path(__file__).with_name("guides.md").read_text(encoding="utf-8").split("\n## ")[1:]
    ):
        title, _, body = part.partition("\n")
        before, *terms = ("\n" + body.strip()).split("\n- **")
        pairs = (" ".join(term.split()).split("**: ", 1) for term in terms)
        guides[title] = (" ".join(before.split()), tuple((name, text) for name, text in pairs))
    return guides


def guide(title: str, shown: Prominence = Prominence.TABLES, **values: float) -> Section:
    """The section with that title, and the values for what is in braces there."""
    text, terms = _guides()[title]
    section = Section(title, shown=shown)
    if text:
        section.blocks.append(Paragraph(text))
    if terms:
        meanings = [(name, meaning.format(**values)) for name, meaning in terms]
        section.blocks.append(Definitions(meanings))
    return section


def guide_text(title: str) -> str:
    """The paragraph of such a section, without its terms."""
    return _guides()[title][0]
