#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts what ab called: table.py <directory> <kind>..."""
import glob
import json
import statistics
import sys


def word(result):
    words = [figure["verdict"] for case in result["cases"] for figure in case["figures"]]
    for one in ("slower", "faster"):
        if one in words:
            return one
    return "no-difference" if result["decided"] else "undecided"


print("| kind | runs | slower | faster | no-difference | undecided | seconds: median | largest |")
print("|---|---:|---:|---:|---:|---:|---:|---:|")
for kind in sys.argv[2:]:
    results = [json.load(open(name)) for name in glob.glob(f"{sys.argv[1]}/{kind}-[0-9]*.json")]
    words = [word(result) for result in results]
    seconds = [result["seconds"] for result in results] or [0]
    counts = " | ".join(str(words.count(w)) for w in ("slower", "faster", "no-difference", "undecided"))
    print(f"| {kind} | {len(results)} | {counts} | {statistics.median(seconds):.0f} | {max(seconds)} |")
