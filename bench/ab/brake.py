#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stops the processes of gateway B for a part of the time, until it is ended: brake.py <results directory> <percent>.

Ends with 1 if there never was such a process: then nothing was made slower.
"""
import os
import signal
import sys
import time

CYCLE = 0.04
LOOK = 1.0


def processes(directory):
    """Processes that were started in the directory of B, and so all that they have started there."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{pid}/cwd").startswith(directory):
                found.append(int(pid))
        except OSError:
            continue
    return found


def send(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            continue


def main():
    directory = os.path.join(os.path.realpath(sys.argv[1]), ".work", "b") + "/"
    part = float(sys.argv[2]) / 100
    pids, looked, found = [], 0.0, False
    # The gateways have the first processors: what the brake itself takes is not taken from them.
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

    def leave(*_):
        send(pids, signal.SIGCONT)
        if not found:
            print(f"no process of B was found below {directory}: nothing was slowed down", file=sys.stderr)
        sys.exit(0 if found else 1)

    signal.signal(signal.SIGTERM, leave)
    signal.signal(signal.SIGINT, leave)
    while True:
        if time.monotonic() - looked > LOOK:
            pids, looked = processes(directory), time.monotonic()
            found = found or bool(pids)
        send(pids, signal.SIGSTOP)
        time.sleep(CYCLE * part)
        send(pids, signal.SIGCONT)
        time.sleep(CYCLE * (1 - part))


main()
