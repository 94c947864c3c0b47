#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stops the processes of gateway B for a part of the time, until it is ended: brake.py <results directory> <percent>."""
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
    directory = os.path.join(os.path.abspath(sys.argv[1]), ".work", "b") + "/"
    part = float(sys.argv[2]) / 100
    pids, looked = [], 0.0

    def leave(*_):
        send(pids, signal.SIGCONT)
        sys.exit(0)

    signal.signal(signal.SIGTERM, leave)
    while True:
        if time.monotonic() - looked > LOOK:
            pids, looked = processes(directory), time.monotonic()
        send(pids, signal.SIGSTOP)
        time.sleep(CYCLE * part)
        send(pids, signal.SIGCONT)
        time.sleep(CYCLE * (1 - part))


main()
