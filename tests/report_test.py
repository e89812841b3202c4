#!/usr/bin/env python3
"""Tests scripts/report: the page of a run, and the tables, plots and figures of the documents."""

import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from reporting import documents, page, plots, results  # noqa: E402

KEPT = ROOT / "docs" / "results" / "bench-llvmpipe.json"
SVG = re.compile(r"<svg .*?</svg>", re.DOTALL)


def run_report(*arguments):
    return subprocess.run([sys.executable, str(ROOT / "scripts" / "report"), *map(str, arguments)],
                          capture_output=True, text=True, check=False)


class Page(unittest.TestCase):
    def setUp(self):
        self.run, self.rows = results.read_run(KEPT)
        self.html = page.made([("run.json", self.run, self.rows)])

    def made_with(self, change):
        rows = copy.deepcopy(self.rows)
        change(rows)
        return page.made([("run.json", self.run, rows)])

    def test_names_machine_and_commit(self):
        for text in (self.run["machine"]["cpu"], self.run["gpu"]["renderer"], self.run["commit"], "run.json"):
            self.assertIn(text, self.html)

    def test_needs_nothing_else(self):
        self.assertEqual(set(re.findall(r"https?://[^\"]*", self.html)), {"http://www.w3.org/2000/svg"})
        for word in ("<script", "<link", "<img", "url(", "@import"):
            self.assertNotIn(word, self.html)

    def test_draws_every_uniform_row(self):
        pictures = [xml.fromstring(text) for text in SVG.findall(self.html)]
        self.assertTrue(pictures)
        titles = {title.text.split(":")[0] for picture in pictures
                  for title in picture.iter("{http://www.w3.org/2000/svg}title")}
        names = {row["series"].split(":")[0] for row in self.rows if row["distribution"] == "uniform"}
        for name in names:
            self.assertTrue(any(title.startswith(name) for title in titles), name)

    def test_lists_every_row(self):
        everything = self.html.split("<h2>All measurements</h2>")[1]
        self.assertEqual(everything.count("<tr>"), 1 + len(self.rows))
        self.assertNotIn("WRONG", self.html)
        wrong = self.made_with(lambda rows: rows[0].update(verified=False)).split("<h2>All measurements</h2>")[1]
        self.assertEqual(wrong.count('<td class="wrong">WRONG</td>'), 1)

    def test_draws_and_compares_no_wrong_row(self):
        theirs = {"paper": "A 2006", "where": "Table 2", "section": "8", "hardware": "GPU", "sort": "theirs",
                  "least_ms": 10, "most_ms": 14}

        def all_wrong(rows):
            for row in rows:
                row.update(verified=False, theirs=[theirs])
        html = self.made_with(all_wrong)
        for section in ("Rate", "Distributions", "Papers"):
            self.assertNotIn(f"<h2>{section}</h2>", html)

    def read_with(self, change):
        run = json.loads(KEPT.read_text(encoding="utf-8"))
        change(run)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "run.json"
            path.write_text(json.dumps(run), encoding="utf-8")
            return results.read_run(path)

    def test_names_scenes_and_options(self):
        def make_scene(run):
            run["options"].update(scene="3 sources", order="descending", max_elements_per_draw=64)
            for row in run["rows"]:
                row.update(sources=3, computed_keys=True, visible=0.1, count_on="gpu")
        run, rows = self.read_with(make_scene)
        for row in rows:
            self.assertTrue(row["series"].endswith(
                ", scene of 3 sources, computed keys, 10% visible, count on the GPU"), row["series"])
        html = page.made([("run.json", run, rows)])
        self.assertIn("descending, bits 0 to 32 of the keys, 3 sources, at most 64 elements a draw, state: restore", html)

    def test_tells_sorts_apart_by_what_was_asked(self):
        def ask_again(run):
            run["rows"] += [{**row, "asked": "automatic"} for row in run["rows"] if row["algorithm"] == "merge"]
        _, rows = self.read_with(ask_again)
        counts = [(row["series"], row["payload"], row["n"]) for row in rows if row["algorithm"] == "merge"]
        self.assertEqual(len(counts), len(set(counts)))
        self.assertTrue(any(series.endswith(", asked for as automatic") for series, _, _ in counts))

    def test_refuses_runs_that_were_cut(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "cut.json"
            for text in (KEPT.read_text(encoding="utf-8")[:9000], '{"rows": []}', ""):
                path.write_text(text, encoding="utf-8")
                refused = run_report(path, "--output", pathlib.Path(folder) / "page.html")
                self.assertEqual(refused.returncode, 1)
                self.assertNotIn("Traceback", refused.stderr)
                self.assertIn("this is no JSON of glsort bench", refused.stderr)

    def test_puts_papers_beside_ours(self):
        self.assertNotIn("<h2>Papers</h2>", self.html)

        def add_paper(rows):
            rows[0].update(ms=4.0)
            rows[0]["theirs"] = [
                {"paper": "A & B 2006", "where": "Table 2", "section": "8", "hardware": "GPU <1>", "sort": "theirs",
                 "least_ms": 10, "most_ms": 14},
                {"paper": "A & B 2006", "where": "Figure 4", "section": "9", "hardware": "GPU", "sort": "theirs",
                 "least_ms": None, "most_ms": None}]
        html = self.made_with(add_paper)
        self.assertIn("<h3>A &amp; B 2006, Table 2 (section 8)</h3>", html)
        self.assertIn("GPU &lt;1&gt;", html)
        self.assertIn('<td class="number">10 to 14</td>', html)
        self.assertIn('<td class="number">3</td>', html)  # 12 / 4
        self.assertIn('<td class="number">a curve</td>', html)

    def test_compares_distributions(self):
        self.assertNotIn("<h2>Distributions</h2>", self.html)

        def add_distribution(rows):
            rows += [{**row, "distribution": "zipf"} for row in rows]
        html = self.made_with(add_distribution)
        self.assertIn("<h2>Distributions</h2>", html)
        self.assertIn(">zipf</text>", html)

    def test_takes_a_run_without_rows(self):
        self.assertIn(self.run["commit"], page.made([("run.json", self.run, [])]))

    def test_is_written_by_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder) / "page.html"
            made = run_report(KEPT, "--output", output)
            self.assertEqual(made.returncode, 0, made.stderr)
            self.assertEqual(output.read_text(encoding="utf-8").count("<h1>"), 1)
            foreign = pathlib.Path(folder) / "rows.json"
            foreign.write_text("[]", encoding="utf-8")
            refused = run_report(foreign, "--output", output)
            self.assertEqual(refused.returncode, 1)
            self.assertIn("rows.json", refused.stderr)


class Documents(unittest.TestCase):
    def test_are_up_to_date(self):
        checked = run_report("--check")
        self.assertEqual(checked.returncode, 0, checked.stderr)

    def test_tables_are_made_of_json_and_of_csv(self):
        rows = [row for row in results.read(KEPT) if row["algorithm"] == "std_sort" and row["payload"] == "4"]
        text = documents.table(f"{KEPT.name} payload=4 algorithm=std_sort title=pairs")
        self.assertEqual(text.splitlines()[0],
                         "| pairs | " + " | ".join(results.power(row["n"]) for row in rows) + " |")
        self.assertEqual(text.splitlines()[2].split(" | ")[1:],
                         [results.milliseconds(row) for row in rows][:-1] + [results.milliseconds(rows[-1]) + " |"])
        self.assertIn("| 0.0110 |", documents.table("speed-h100.csv payload=none"))
        with self.assertRaises(SystemExit):
            documents.table("speed-h100.csv payload=6")

    def test_ratios_are_of_times_in_any_unit(self):
        what = "radix-h100.csv payload=none ratio=CUB:radix:one-sweep"
        times, rates = (documents.table(f"{what}{unit}").splitlines()[-1] for unit in ("", " unit=rate"))
        self.assertEqual(times, rates)
        self.assertIn("time of CUB", times)

    def test_figures_are_one_row(self):
        self.assertEqual(documents.figure("merge-fragment-h100.csv series=merge n=1048576"), "2.24")
        with self.assertRaises(SystemExit):
            documents.figure("merge-fragment-h100.csv series=merge")

    def test_figures_of_the_readme_have_marks(self):
        """No time or rate stands in the README but what this program writes there."""
        text = (ROOT / "README.md").read_text(encoding="utf-8")
        for pattern in (documents.TABLE, documents.FIGURE):
            text = pattern.sub("", text)
        self.assertEqual(re.findall(r"[0-9][0-9.]* (?:ms|us|microseconds|milliseconds|GB/s|[GM] elements)\b", text), [])


class Numbers(unittest.TestCase):
    def test_digits(self):
        for number, count, text in ((0, 3, "0"), (0.01104, 2, "0.011"), (2.24, 2, "2.2"), (123456.0, 3, "123000"),
                                    (0.0000123, 2, "0.000012")):
            self.assertEqual(results.digits(number, count), text)

    def test_powers(self):
        self.assertEqual([results.power(n) for n in (0, 1, 1000, 1 << 20)], ["0", "2^0", "1000", "2^20"])

    def test_plots_of_one_size_and_of_many_series(self):
        series = {f"sort {i}": [(1024, 1e6 * (i + 1))] for i in range(20)}
        picture = xml.fromstring(plots.rates([("title", series)]))
        dashes = {(line.get("stroke"), line.get("stroke-dasharray"))
                  for line in picture.iter("{http://www.w3.org/2000/svg}polyline")}
        self.assertEqual(len(dashes), 20)


if __name__ == "__main__":
    unittest.main()
