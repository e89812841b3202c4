"""Tables, plots and single figures of the documents, from files of docs/results.

What is between two marks is written by this program. Marks in code, behind a `, are no marks.

    <!-- results: speed-h100.csv payload=none rows=series -->
    <!-- end of results -->

The first word is a file of docs/results. `NAME=VALUE` keeps the rows whose column NAME is VALUE. `rows=NAME` says which
column names the rows of a table (default: series). `unit=rate` shows G elements/s instead of milliseconds. `title=TEXT`
is the head of the first column. `ratio=A:B` adds a row: A's time over B's. `_` stands for a space.

    <!-- plot: speed.svg speed-h100.csv payload=none:Keys payload=4:Pairs -->

makes docs/pictures/speed.svg, with a panel for each `NAME=VALUE:TITLE`.

    <!-- figure: speed-h100.csv series=A payload=4 n=1048576 -->0.08<!-- end of figure -->

is a single number: the milliseconds of the one row that is left, with three digits.
"""

import pathlib
import re

from . import plots, results

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RESULTS = ROOT / "docs" / "results"
PICTURES = ROOT / "docs" / "pictures"
TABLE = re.compile(r"(?<!`)(<!-- results: (?P<what>[^>]*?) -->\n).*?(<!-- end of results -->)", re.DOTALL)
PLOT = re.compile(r"(?<!`)<!-- plot: (?P<picture>\S+) (?P<file>\S+) (?P<panels>[^>]*?) -->")
FIGURE = re.compile(r"(?<!`)(<!-- figure: (?P<what>[^>]*?) -->).*?(<!-- end of figure -->)", re.DOTALL)


def _spaced(text):
    return text.replace("_", " ")


def _filter(words):
    return dict(word.split("=", 1) for word in words)


def table(what):
    name, *options = what.split()
    settings = {"rows": "series", "unit": "ms", "title": "", "ratio": ""}
    wanted = {}
    for option in options:
        key, value = option.split("=", 1)
        (settings if key in settings else wanted)[key] = value
    found = results.where(results.read(RESULTS / name), wanted)
    if not found:
        raise SystemExit(f"report: nothing in {name} for: {what}")
    counts = sorted({int(row["n"]) for row in found})
    cells = {}
    times = {}
    for row in found:
        text = results.milliseconds(row)
        if settings["unit"] == "rate":
            text = f"{results.rate(row) / 1e9:.3g}"
        cells.setdefault(row[settings["rows"]], {})[int(row["n"])] = text
        times[row[settings["rows"]], int(row["n"])] = float(row["ms"])
    if settings["ratio"]:
        above, below = _spaced(settings["ratio"]).split(":", 1)
        both = [n for n in counts if n in cells[above] and n in cells[below]]
        cells[f"time of {above} / time of {below}"] = {
            n: f"{times[above, n] / times[below, n]:.2f}" for n in both}
    lines = ["| " + " | ".join([_spaced(settings["title"])] + [results.power(n) for n in counts]) + " |"]
    lines.append("|---" * (len(counts) + 1) + "|")
    for series, by_count in cells.items():
        lines.append("| " + " | ".join([series] + [by_count.get(n, "") for n in counts]) + " |")
    return "\n".join(lines) + "\n"


def points_of(rows):
    """For each series the pairs of a count and a rate."""
    series = {}
    for row in rows:
        series.setdefault(row["series"], []).append((int(row["n"]), results.rate(row)))
    return {name: sorted(points) for name, points in series.items()}


def plot(name, panels):
    rows = results.read(RESULTS / name)
    made = []
    for panel in panels.split():
        wanted, title = panel.split(":", 1)
        made.append((_spaced(title), points_of(results.where(rows, _filter([wanted])))))
    return plots.rates(made)


def figure(what):
    name, *options = what.split()
    found = results.where(results.read(RESULTS / name), _filter(options))
    if len(found) != 1:
        raise SystemExit(f"report: {len(found)} rows instead of one in {name} for: {what}")
    return results.digits(float(found[0]["ms"]), 3)


def made():
    """The text that each document and picture should have, by its path."""
    texts = {}
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = path.read_text(encoding="utf-8")
        text = TABLE.sub(lambda match: match[1] + table(match["what"]) + match[3], text)
        text = FIGURE.sub(lambda match: match[1] + figure(match["what"]) + match[3], text)
        texts[path] = text
        for match in PLOT.finditer(text):
            texts[PICTURES / match["picture"]] = plot(match["file"], match["panels"])
    return texts
