"""Reads files of results: the JSON that `glsort bench` writes, and CSV (docs/results/README.md).

A row is a dictionary of texts and numbers. These members are there for both forms: series, key, payload, n, ms.
"""

import csv
import json


def _name(row):
    """What was measured, for tables and legends."""
    if row["version"]:  # Another library.
        own_name = row["algorithm"].replace("std_", "std::").replace("tbb_", "tbb::")
        return f"{own_name} ({row['version']})"
    algorithm = row["algorithm"] + (":" + row["variant"] if row["variant"] else "")
    layout = f", {row['layout']}" if row["asked"].split(" ")[1:] else ""
    return f"{algorithm} on {row['backend']}{layout}"


def read_run(path):
    """The machine, options and so on of a file of JSON, and its rows."""
    with open(path, encoding="utf-8") as file:
        run = json.load(file)
    if not isinstance(run, dict) or "rows" not in run:
        raise SystemExit(f"report: {path}: this is no JSON of glsort bench")
    rows = []
    for row in run.pop("rows"):
        times = row["ms"]
        rows.append({**row, "series": _name(row), "ms": row["median_ms"], "times": times,
                     "least_ms": min(times, default=0), "most_ms": max(times, default=0)})
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
