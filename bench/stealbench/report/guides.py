"""The texts that explain reports, from guides.md: a section of each heading."""

from __future__ import annotations

import functools
from pathlib import Path

from stealbench.report.document import Paragraph, Prominence, Section


@functools.cache
def _guides() -> dict[str, list[str]]:
    """By heading the text before its terms, and each term with its meaning."""
    parts = Path(__file__).with_name("guides.md").read_text(encoding="utf-8").split("\n## ")[1:]
    bodies = (part.partition("\n")[::2] for part in parts)
    return {title: [" ".join(t.split()) for t in body.split("\n- **")] for title, body in bodies}


def guide(title: str, shown: Prominence = Prominence.TABLES, **values: float) -> Section:
    """The section with that title, and the values for what is in braces there."""
    text, *terms = _guides()[title]
    section = Section(title, [Paragraph(text)] if text else [], shown)
    for name, meaning in (term.split("**: ", 1) for term in terms):
        section.blocks.append(Paragraph(meaning.format(**values), term=name))
    return section


def guide_text(title: str) -> str:
    """The paragraph of such a section, without its terms."""
    return _guides()[title][0]
