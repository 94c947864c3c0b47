#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts what ab called: table.py <directory> <kind>..."""
import csv
import glob
import itertools
import json
import math
import os
import statistics
import sys

WORDS = ("slower", "faster", "no-difference", "undecided")


def word(result):
    words = [figure["verdict"] for case in result["cases"] for figure in case["figures"]]
    for one in ("slower", "faster"):
        if one in words:
            return one
    return "no-difference" if result["decided"] else "undecided"


def ratio(result):
    return [f["ratio"] for c in result["cases"] for f in c["figures"] if f["name"] == "throughput" and f["ratio"]]


def starts(name):
    """What the starts of one measurement tell: of each the Hodges-Lehmann estimate of its pairs' log B - log A of the throughput."""
    pairs = {}
    with open(os.path.join(name[: -len(".json")], "windows.csv"), newline="") as file:
        for row in csv.DictReader(file):
            pair = pairs.setdefault((row["case"], row["start"]), {}).setdefault(row["pair"], {})
            if not row["invalid"]:
                pair[row["side"]] = math.log(float(row["throughput"]))
    sound = [[p["B"] - p["A"] for p in of_start.values() if len(p) == 2] for of_start in pairs.values()]
    return [statistics.median((a + b) / 2 for a, b in itertools.combinations_with_replacement(differences, 2))
            for differences in sound if differences]


def noise(measured):
    """By how many percent a start differs from the next one, from all measurements together."""
    known = [differences for differences in measured if len(differences) > 1]
    degrees = sum(len(differences) - 1 for differences in known)
    if not degrees:
        return "-"
    return f"{100 * math.sqrt(sum(statistics.variance(d) * (len(d) - 1) for d in known) / degrees):.1f} %"


def middle(values, form):
    return format(statistics.median(values), form) if values else "-"


print("| kind | runs | " + " | ".join(WORDS) + " | ended early | throughput B / A, median | noise of a start"
      " | starts, median | s per start, median | s in all: median | largest |")
print("|---|" + "---:|" * 12)
for kind in sys.argv[2:]:
    names = glob.glob(f"{sys.argv[1]}/{kind}-[0-9]*.json")
    early = [e for e in glob.glob(f"{sys.argv[1]}/{kind}-[0-9]*.err") if e[: -len("err")] + "json" not in names]
    results = []
    for name in names:
        with open(name) as file:
            results.append(json.load(file))
    words = [word(result) for result in results]
    seconds = [result["seconds"] for result in results]
    measured = [starts(name) for name in names]
    counts = [len(differences) for differences in measured]
    print(f"| {kind} | {len(results)} | " + " | ".join(str(words.count(w)) for w in WORDS)
          + f" | {len(early)} | {middle([r for x in results for r in ratio(x)], '.3f')} | {noise(measured)}"
          + f" | {middle(counts, '.0f')}"
          + f" | {middle([s / n for s, n in zip(seconds, counts) if n], '.0f')}"
          + f" | {middle(seconds, '.0f')} | {max(seconds, default='-')} |")
