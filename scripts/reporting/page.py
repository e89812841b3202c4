"""One page of HTML about runs of `glsort bench`, with all that it shows inside of it."""

import html

from . import plots, results

STYLE = """
body { font: 15px/1.5 sans-serif; color: #222; max-width: 1100px; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.6em; } h2 { margin-top: 2em; border-bottom: 1px solid #ccc; } h3 { margin-top: 1.6em; }
table { border-collapse: collapse; margin: 1em 0; font-size: 13px; }
th, td { padding: 2px 10px; border-bottom: 1px solid #e4e4e4; text-align: left; vertical-align: top; }
th { border-bottom: 2px solid #999; } td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
td.wrong { color: #b00; font-weight: bold; } .scroll { overflow-x: auto; } svg { max-width: 100%; height: auto; }
"""

# A chart with more bars in a group says nothing.
MOST_BARS = 4


def _is_peer(row):
    return row["version"] is not None


def _cell(text, is_number=False, more=""):
    classes = " ".join(part for part in ("number" if is_number else "", more) if part)
    return f'<td class="{classes}">{html.escape(text)}</td>' if classes else f"<td>{html.escape(text)}</td>"


def _table(heads, rows):
    """A table. A head is a text and whether numbers are below; a row is a list of texts, or of pairs of a text and a
    class."""
    out = ['<div class="scroll"><table><tr>']
    out += [f'<th class="number">{html.escape(head)}</th>' if number else f"<th>{html.escape(head)}</th>"
            for head, number in heads]
    out.append("</tr>")
    for row in rows:
        cells = [cell if isinstance(cell, tuple) else (cell, "") for cell in row]
        out.append("<tr>" + "".join(_cell(text, number, more) for (text, more), (_, number) in zip(cells, heads)) +
                   "</tr>")
    return "\n".join(out + ["</table></div>"])


def _payload(row):
    return {"none": "keys alone", "index": "key and index"}.get(row["payload"], f"values of {row['payload']} bytes")


def _records(row):
    return f"{row['key']} keys" if row["payload"] == "none" else f"{row['key']}, {_payload(row)}"


def _groups(rows, key):
    """Rows by what `key` gives for them, in their order."""
    groups = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def _ms(number):
    return "" if number is None else results.digits(number, 4)


def _machine(name, run):
    machine, gpu = run["machine"], run.get("gpu") or {}
    clocks = gpu.get("clocks") or {}
    memory = machine["memory_bytes"] / 2 ** 30
    facts = [("file", name), ("began", run["began"]), ("glsort", f"{run['glsort']}, commit {run['commit']}"),
             ("CPU", f"{machine['cpu'] or 'unknown'}, {machine['cores']} cores, {memory:.0f} GiB"),
             ("system", f"{machine['system']}, {machine['kernel']}"),
             ("GPU", gpu.get("renderer") or "not used"), ("OpenGL", gpu.get("version") or "not used"),
             ("driver", gpu.get("driver") or "not told"),
             ("clocks under load", f"{clocks['sm_mhz']} of {clocks['sm_mhz_most']} MHz, memory {clocks['memory_mhz']} "
                                   f"of {clocks['memory_mhz_most']} MHz" if clocks else "not told")]
    options = run["options"]
    suite = options["suite"]
    facts.append(("measured sorts", f"suite {suite}" if suite else ", ".join(options["algorithms"])))
    more = [] if suite else [options["order"], "bits {} to {} of the keys".format(*options["bits"]), options["scene"]]
    if options.get("max_elements_per_draw"):
        more.append(f"at most {options['max_elements_per_draw']} elements a draw")
    facts.append(("options", ", ".join(text for text in [*more, f"state: {options['state']}"] if text)))
    return facts


def _machines(runs):
    columns = [_machine(name, run) for name, run, _ in runs]
    rows = [[columns[0][i][0]] + [column[i][1] for column in columns] for i in range(len(columns[0]))]
    return _table([("", False)] + [("", False)] * len(columns), rows)


def _rates(rows):
    """A chart for each backend and type of records, with the other libraries in all charts."""
    out = []
    uniform = [row for row in rows if row["distribution"] == "uniform" and row["n"] > 0 and row["ms"] > 0]
    for records, group in _groups(uniform, _records).items():
        peers = [row for row in group if _is_peer(row)]
        for backend, ours in _groups([row for row in group if not _is_peer(row)], lambda row: row["backend"]).items():
            shown = peers + ours  # In all charts the others have equal colours.
            if len({row["n"] for row in shown}) < 2:
                continue
            out.append(plots.rates([(f"{records}; glsort on {backend}", _points(shown))], width=2 * plots.WIDTH))
    return out


def _points(rows):
    series = {}
    for row in rows:
        series.setdefault(row["series"], []).append((row["n"], results.rate(row)))
    return {name: sorted(points) for name, points in series.items()}


def _distributions(rows):
    out = []
    for (records, n, backend), group in _groups(
            [row for row in rows if row["n"] > 0], lambda row: (_records(row), row["n"], row["backend"])).items():
        names = list(dict.fromkeys(row["distribution"] for row in group))
        if len(names) < 2:
            continue
        fastest = {}
        for row in group:
            fastest[row["series"]] = min(row["ms"], fastest.get(row["series"], row["ms"]))
        shown = sorted(fastest, key=fastest.get)[:MOST_BARS]
        bars = [(name, {row["series"]: row["ms"] for row in group
                        if row["distribution"] == name and row["series"] in shown}) for name in names]
        out.append(plots.bars(f"{results.power(n)} {records}, {backend}: milliseconds", [bar for bar in bars if bar[1]],
                              "ms"))
    return out


def _papers(rows):
    found = []
    for row in rows:
        for theirs in row["theirs"]:
            found.append((theirs, row))
    out = []
    for (paper, where, section), pairs in _groups(
            found, lambda pair: (pair[0]["paper"], pair[0]["where"], pair[0]["section"])).items():
        out.append(f"<h3>{html.escape(paper)}, {html.escape(where)} (section {html.escape(section)})</h3>")
        lines = []
        sorts = list(dict.fromkeys(theirs["sort"] for theirs, _ in pairs))
        # A run that was resumed has its rows in another order.
        for theirs, row in sorted(pairs, key=lambda pair: (sorts.index(pair[0]["sort"]), pair[1]["n"])):
            least, most = theirs["least_ms"], theirs["most_ms"]
            ms = "a curve" if most is None else (_ms(most) if least == most else f"{_ms(least)} to {_ms(most)}")
            ratio = "" if most is None or not row["ms"] else f"{(least + most) / 2 / row['ms']:.3g}"
            lines.append([theirs["sort"], theirs["hardware"], results.power(row["n"]), row["distribution"],
                          _records(row), ms, row["series"], _ms(row["ms"]), ratio])
        out.append(_table([("their sort", False), ("their hardware", False), ("n", True), ("keys", False),
                           ("records", False), ("their ms", True), ("our sort", False), ("our ms", True),
                           ("theirs / ours", True)], lines))
    return out


def _all(rows):
    lines = []
    for row in rows:
        verified = {True: ("yes", ""), False: ("WRONG", "wrong"), None: ("not asked", "")}[row["verified"]]
        copy = row["fraction_of_copy"]
        lines.append([row["series"], row["io"] if row["backend"] != "cpu" else "host memory", _records(row),
                      row["distribution"], results.power(row["n"]), _ms(row["ms"]), _ms(row["least_ms"]),
                      _ms(row["most_ms"]), str(len(row["times"])), results.digits(results.rate(row) / 1e6, 4)
                      if row["ms"] else "", results.digits(row["copy_gb_per_s"], 4) if row["copy_gb_per_s"] else "",
                      f"{100 * copy:.1f} %" if copy else "", verified])
    return _table([("sort", False), ("in", False), ("records", False), ("keys", False), ("n", True),
                   ("median ms", True), ("least ms", True), ("most ms", True), ("repetitions", True),
                   ("M elements/s", True), ("copy GB/s", True), ("of copy", True), ("verified", False)], lines)


def _section(title, explanation, parts):
    """Nothing where there is nothing to show."""
    if not parts:
        return ""
    return f"<h2>{title}</h2>\n<p>{explanation}</p>\n" + "\n".join(parts)


def made(runs):
    """The page of runs: a name, what `results.read_run` gives, for each."""
    out = [f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>glsort bench</title><style>{STYLE}'
           "</style></head><body>\n<h1>glsort bench</h1>",
           "<p>Times of sorts by glsort, and of other libraries beside them. A time is the median of all repetitions, "
           "in milliseconds. No sort of records in memory is faster than a copy of the records.</p>", _machines(runs)]
    for name, run, rows in runs:
        if len(runs) > 1:
            out.append(f"<h1>{html.escape(name)}: {html.escape((run.get('gpu') or {}).get('renderer') or 'CPU')}</h1>")
        right = [row for row in rows if row["verified"] is not False]
        out.append(_section("Rate", "Elements a second over the number of elements, for uniform keys. Both axes are "
                            "logarithmic: higher is faster.", _rates(right)))
        out.append(_section("Distributions", "The time for keys of different distributions. Shorter is faster. Of many "
                            f"sorts, the {MOST_BARS} fastest are shown.", _distributions(right)))
        out.append(_section("Papers", "What the papers of the algorithms report on their hardware, beside ours on this "
                            "machine. A ratio over 1 says how many times faster ours is. It compares machines as well "
                            "as sorts.", _papers(right)))
        out.append(_section("All measurements", "Copy is the rate of a copy of the same records on the same device, "
                            "bytes read and written. Of copy is the time of the copy over that of the sort. Sorts "
                            "with a wrong result are in no other section.",
                            [_all(rows)] if rows else []))
    return "\n".join(out + ["</body></html>"]) + "\n"
