#!/usr/bin/env python3
"""check_links.py REPOSITORY: whether each relative link of a page leads to a file, and to a heading of it."""

import re
import sys
from pathlib import Path

root = Path(sys.argv[1]).resolve()
pages = [*root.glob("*.md")]
for folder in ("bench", "results", "schedulers", "verify", "workloads"):
    pages += (root / folder).rglob("*.md")


def without_code(page: Path) -> str:
    return re.sub(r"^ *```.*?^ *```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)


def anchors_of(page: Path) -> set[str]:
    """The headings as GitHub names them."""
    headings = re.findall(r"^#+ (.*)", without_code(page), flags=re.MULTILINE)
    plain = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).lower() for text in headings)
    return {re.sub(r"[^\w\- ]", "", text).replace(" ", "-") for text in plain}


wrong = []
links = 0
for page in pages:
    for match in re.finditer(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"", without_code(page)):
        link = match[1] or match[2]
        if re.match(r"[a-z]+:", link):
            continue
        links += 1
        path, _, heading = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists():
            wrong.append(f"{page.relative_to(root)}: {link} does not exist")
        elif heading and target.suffix == ".md" and heading not in anchors_of(target):
            wrong.append(f"{page.relative_to(root)}: {link} names no heading")
if not links:
    wrong.append("no page has a link: the pattern is out of date")
sys.exit("\n".join(wrong) or 0)
