// How a page of results looks. Not for others than page.cpp.
#pragma once

#include <string_view>

namespace stealbench::report {

inline constexpr std::string_view page_style = R"css(
:root {
  color-scheme: light dark;
  --paper: #ffffff; --raised: #f6f7f9; --ink: #1c1f24; --muted: #59616d; --line: #dcdfe4;
  --accent: #1f5fae; --good: #1b6e3a; --bad: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #121212; --raised: #1b1d20; --ink: #e6e7e9; --muted: #a3abb6; --line: #34383e;
    --accent: #8ab8f2; --good: #7fd39b; --bad: #ff8a80;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink); line-height: 1.55;
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
main, nav { padding: 0 1rem; min-width: 0; }
main { max-width: 72rem; padding-bottom: 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 1.5rem 0 1rem; }
h2 {
  font-size: 1.35rem; margin: 3rem 0 .6rem; padding-top: .9rem;
  border-top: 1px solid var(--line); scroll-margin-top: 1rem;
}
p, dl { max-width: 46rem; overflow-wrap: anywhere; }
p { margin: .6rem 0; }
.lead {
  font-size: 1.15rem; line-height: 1.5; padding: .9rem 1.1rem; margin: 1rem 0;
  background: var(--raised); border-left: 4px solid var(--accent); border-radius: 0 6px 6px 0;
}
nav { font-size: .92rem; }
nav h2 { font-size: .85rem; color: var(--muted); border: 0; margin: 1rem 0 .3rem; padding: 0; }
nav ol { list-style: none; margin: 0; padding: 0; columns: 2 10rem; }
nav li { padding: .15rem 0; break-inside: avoid; }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }
.scroll {
  overflow-x: auto; margin: 1rem 0 1.5rem; border: 1px solid var(--line); border-radius: 6px;
}
table {
  border-collapse: separate; border-spacing: 0; width: 100%; font-size: .875rem;
  font-variant-numeric: tabular-nums;
}
caption {
  text-align: left; font-weight: 600; padding: .6rem; background: var(--raised);
}
th, td { padding: .38rem .6rem; border-top: 1px solid var(--line); white-space: nowrap; }
td.long { white-space: normal; min-width: 14rem; overflow-wrap: anywhere; }
thead th { color: var(--muted); font-weight: 600; vertical-align: bottom; }
tbody th { font-weight: 500; }
th:first-child {
  position: sticky; left: 0; z-index: 1; background: var(--paper);
  border-right: 1px solid var(--line); white-space: normal; min-width: 8.5rem; max-width: 45vw;
  overflow-wrap: anywhere;
}
tbody tr:hover > * { background: var(--raised); }
.left { text-align: left; }
.right { text-align: right; }
.best { color: var(--good); font-weight: 700; }
.failed { color: var(--bad); font-weight: 600; }
.figures {
  display: grid; gap: 1rem; margin: 1rem 0 1.5rem; align-items: start;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 25rem), 1fr));
}
figure {
  margin: 0; padding: .75rem; border: 1px solid var(--line); border-radius: 6px; min-width: 0;
}
figcaption { font-size: .92rem; font-weight: 600; margin-bottom: .3rem; }
svg.plot { display: block; width: 100%; height: auto; }
dt { font-weight: 600; margin-top: .7rem; }
dd { margin: 0; color: var(--muted); }
@media (min-width: 75rem) {
  body { display: grid; grid-template-columns: 14rem minmax(0, 1fr); }
  nav { border-right: 1px solid var(--line); }
  nav > div { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding: 1rem 0; }
  nav ol { columns: auto; }
  main { padding: 0 2rem 4rem; }
}
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
@media print {
  :root { --paper: #fff; --raised: #fff; --ink: #000; --muted: #333; --line: #999; --accent: #000; }
  nav { display: none; }
  body { display: block; font-size: 10pt; }
  main { padding: 0; max-width: none; }
  .scroll { overflow: visible; border: 0; }
  table { font-size: 7.5pt; }
  th, td { padding: 2pt 4pt; white-space: normal; }
  th:first-child { position: static; }
  thead { display: table-header-group; }
  figure, tr, .lead { break-inside: avoid; }
  h2, caption { break-after: avoid; }
  .figures { grid-template-columns: 1fr 1fr; }
}
)css";

}  // namespace stealbench::report
