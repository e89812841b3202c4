"""Reads files of results: the JSON that `glsort bench` writes, and CSV (docs/results/README.md).

A row is a dictionary of texts and numbers. These members are there for both forms: series, key, payload, n, ms.
"""

import csv
import json


def _scene(row):
    """The scene that was sorted, and where the count was."""
    parts = []
    if row["sources"]:
        parts.append(f"scene of {row['sources']} source{'s' if row['sources'] > 1 else ''}")
    if row["computed_keys"]:
        parts.append("computed keys")
    if row["visible"] < 1:
        parts.append(f"{100 * row['visible']:.4g}% visible")
    if row["count_on"] == "gpu":
        parts.append("count on the GPU")
    return "".join(", " + part for part in parts)


def _algorithm(row):
    return row["algorithm"] + (":" + row["variant"] if row["variant"] else "")


def _name(row):
    """What was measured, for tables and legends."""
    if row["version"]:  # Another library.
        own_name = row["algorithm"].replace("std_", "std::").replace("tbb_", "tbb::")
        return f"{own_name} ({row['version']}){_scene(row)}"
    layout = f", {row['layout']}" if row["asked"].split(" ")[1:] else ""
    return f"{_algorithm(row)} on {row['backend']}{layout}{_scene(row)}"


def _tell_apart(rows):
    """Gives different names to sorts that were asked for by different names, and are the same algorithm."""
    asked = {}
    for row in rows:
        asked.setdefault(row["series"], set()).add(row["asked"])
    for row in rows:
        if len(asked[row["series"]]) > 1 and row["asked"].split(" ")[0] != _algorithm(row):
            row["series"] += f", asked for as {row['asked']}"


def read_run(path):
    """The machine, options and so on of a file of JSON, and its rows."""
    try:
        with open(path, encoding="utf-8") as file:
            run = json.load(file)
    except ValueError:
        run = None
    if not isinstance(run, dict) or not {"rows", "machine", "options"} <= run.keys():
        raise SystemExit(f"report: {path}: this is no JSON of glsort bench, or its run was cut: bench --resume ends it")
    rows = []
    for row in run.pop("rows"):
        times = row["ms"]
        rows.append({**row, "series": _name(row), "ms": row["median_ms"], "times": times,
                     "least_ms": min(times, default=0), "most_ms": max(times, default=0)})
    _tell_apart(rows)
    return run, rows


def _read_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def read(path):
    """The rows of a file, in its order."""
    return read_run(path)[1] if path.suffix == ".json" else _read_csv(path)


def where(rows, wanted):
    """The rows in which each column has the wanted text, in which `_` may stand for a space."""
    return [row for row in rows
            if all(str(row.get(name, "")) in (text, text.replace("_", " ")) for name, text in wanted.items())]


def milliseconds(row):
    """The text of a time: as a CSV file has it, or with three digits."""
    if isinstance(row["ms"], str):
        return row["ms"]
    return three_digits(row["ms"])


def three_digits(number):
    """A number with three digits that count, zeros at the end included, and without an exponent."""
    text = f"{number:#.3g}".rstrip(".")
    return digits(number, 3) if "e" in text else text


def digits(number, count):
    """A number with so many digits that count, and without an exponent."""
    if number == 0:
        return "0"
    text = f"{number:.{count}g}"
    return f"{float(text):.0f}" if "e" in text and abs(number) >= 1 else (f"{number:.6f}" if "e" in text else text)


def rate(row):
    """Elements a second."""
    return int(row["n"]) / float(row["ms"]) * 1e3


def power(n):
    """2^20 for 1048576, and other numbers as they are."""
    n = int(n)
    return f"2^{n.bit_length() - 1}" if n > 0 and n & (n - 1) == 0 else f"{n}"
