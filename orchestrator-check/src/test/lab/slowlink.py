#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Joins two network interfaces, which it makes, by a link that is slow and loses packets.

    slowlink.py NAME NAME MILLISECONDS PERCENT

For kernels without netem. The interfaces are gone when it ends.
"""
import fcntl
import heapq
import os
import random
import selectors
import struct
import sys
import time

MAKE_INTERFACE = 0x400454CA  # TUNSETIFF
ETHERNET_WITHOUT_HEADER = 0x1002  # IFF_TAP | IFF_NO_PI


def interface(name):
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, MAKE_INTERFACE, struct.pack("16sH14x", name.encode(), ETHERNET_WITHOUT_HEADER))
    return device


def main():
    ends = [interface(name) for name in sys.argv[1:3]]
    delay, loss = float(sys.argv[3]) / 1000, float(sys.argv[4]) / 100
    selector = selectors.DefaultSelector()
    for side in (0, 1):
        selector.register(ends[side], selectors.EVENT_READ, ends[1 - side])
    on_the_way = []
    order = 0
    while True:
        wait = max(0.0, on_the_way[0][0] - time.monotonic()) if on_the_way else None
        for key, _ in selector.select(wait):
            try:
                packet = os.read(key.fd, 65536)
            except OSError:
                continue
            if random.random() >= loss:
                order += 1
                heapq.heappush(on_the_way, (time.monotonic() + delay, order, key.data, packet))
        while on_the_way and on_the_way[0][0] <= time.monotonic():
            _, _, end, packet = heapq.heappop(on_the_way)
            try:
                os.write(end, packet)
            except OSError:
                pass  # the interface is down: lost


main()
