"""Makes the table of bench/repeat/run out of what its runs left."""

import glob
import json
import math
import os
import statistics
import sys

work, runs, products = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
KEY = ["Scenario Name", "Heap Size", "Concurrent Users", "Message Size (Bytes)", "Back-end Service Delay (ms)"]
THROUGHPUT = "Throughput (Requests/sec)"
P99 = "99th Percentile of Response Time (ms)"


def rows(directory):
    """The test cases of a run; none if it did not come to its end."""
    if not os.path.exists(os.path.join(directory, "summary.jsonl")):
        return []
    with open(os.path.join(directory, "summary.jsonl"), encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def text(value, digits):
    return "-" if math.isnan(value) else f"{value:.{digits}f}"


def read(name, otherwise):
    """What compare has printed; it prints nothing where a run is missing."""
    with open(name, encoding="utf-8") as lines:
        found = lines.read()
    return json.loads(found) if found.strip() else otherwise


def variation(cells):
    found = [100 * statistics.stdev(values) / statistics.mean(values) for values in cells.values() if len(values) > 1]
    return statistics.median(found) if found else float("nan")


def verdicts(pattern):
    figures = called = comparable = 0
    for name in glob.glob(os.path.join(work, pattern)):
        for cell in read(name, {"cells": []})["cells"]:
            figures += 1
            comparable += cell["verdict"] != "not-comparable"
            called += cell["verdict"] in ("slower", "faster")
        for run in read(name, {"runs": []})["runs"]:
            for overall in run["overall"]:
                figures += 1
                comparable += "whole" in overall
                called += overall.get("whole", {}).get("verdict") in ("slower", "faster")
    return figures, comparable, called


def detectable(pattern):
    """The loss of the run as a whole that nine of ten comparisons find."""
    found = []
    for name in glob.glob(os.path.join(work, pattern)):
        for run in read(name, {"runs": []})["runs"]:
            found += [o["whole"]["detectablePercent"] for o in run["overall"]
                      if o["metric"] == "throughput" and "whole" in o]
    return statistics.median(found) if found else float("nan")


print("| Product | Runs | Wall time s, median (largest) | Rows valid, per run | Test cases valid in 9 of 10 runs |"
      " CV of throughput % | CV of p99 % | Pairs: figures called slower or faster | Loss of throughput found % |"
      " Slower gateway called slower |")
print("|---|---:|---:|---|---:|---:|---:|---:|---:|---:|")
for product in products:
    walls, valid, throughput, p99, sound = [], [], {}, {}, {}
    for run in range(1, runs + 1):
        directory = os.path.join(work, f"{product}-{run}")
        with open(directory + ".millis", encoding="utf-8") as millis:
            walls.append(int(millis.read()) / 1000)
        cells = rows(directory)
        good = 0
        for cell in cells:
            if cell.get(THROUGHPUT) is None:
                continue
            key = tuple(str(cell.get(name)) for name in KEY)
            throughput.setdefault(key, []).append(cell[THROUGHPUT])
            p99.setdefault(key, []).append(cell[P99])
            is_valid = cell["verdict"] == "valid"
            good += is_valid
            sound[key] = sound.get(key, 0) + is_valid
        valid.append(f"{good}/{len(cells)}")
    figures, comparable, called = verdicts(f"{product}-*-*.compare.json")
    slower = 0
    for run in range(1, runs + 1):
        held = read(os.path.join(work, f"{product}-{run}.slow.json"), {"runs": []})
        slower += any(r["verdict"] == "slower" for r in held["runs"])
    print(f"| {product} | {runs} | {statistics.median(walls):.0f} ({max(walls):.0f}) | {' '.join(valid)} |"
          f" {sum(count >= 0.9 * runs for count in sound.values())} of {len(sound)} | {text(variation(throughput), 1)} |"
          f" {text(variation(p99), 1)} | {called} of {comparable} comparable, {figures} in all |"
          f" {text(detectable(f'{product}-*-*.compare.json'), 0)} | {slower} of {runs} |")
