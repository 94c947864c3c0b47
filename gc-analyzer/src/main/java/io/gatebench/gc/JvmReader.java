/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

/** Reads what a JVM says of itself when it starts: collector, version, heap. */
final class JvmReader {

    private final LogListener listener;
    private final CollectorState collector;
    private final HeapReader heap;
    private final int[] after = new int[1];

    JvmReader(LogListener listener, CollectorState collector, HeapReader heap) {
        this.listener = listener;
        this.collector = collector;
        this.heap = heap;
    }

    /** Returns the collector that {@code Using ...} names, empty for any other word. */
    static String collector(byte[] b, int from, int to) {
        if (Bytes.equals(b, from, to, "G1")) {
            return "G1";
        }
        if (Bytes.startsWith(b, from, to, "Parallel")) {
            return "Parallel";
        }
        if (Bytes.startsWith(b, from, to, "Serial")) {
            return "Serial";
        }
        if (Bytes.startsWith(b, from, to, "Concurrent Mark Sweep")) {
            return "CMS";
        }
        if (Bytes.startsWith(b, from, to, "The Z Garbage Collector")) {
            return "ZGC";
        }
        if (Bytes.startsWith(b, from, to, "Shenandoah")) {
            return "Shenandoah";
        }
        return Bytes.startsWith(b, from, to, "Epsilon") ? "Epsilon" : "";
    }

    /** Reads a line of the start, if it is one. */
    void fact(byte[] b, int m, int to) {
        switch (b[m]) {
            case 'V' -> version(b, m, to);
            case 'G' -> {
                if (Bytes.startsWith(b, m, to, "GC Workers for Old Generation")) {
                    collector.mode("ZGC generational");
                }
            }
            case 'H' -> heap(b, m, to);
            case 'M' -> {
                size(b, m, to, "Max Capacity: ", LogListener.Fact.HEAP_MAXIMUM);
                if (Bytes.startsWith(b, m, to, "Mode: Generational")) {
                    collector.mode("Shenandoah generational");
                }
                if (Bytes.startsWith(b, m, to, "Minimum heap ")) {
                    bytes(b, m, to, "  Initial heap ", LogListener.Fact.HEAP_INITIAL);
                    bytes(b, m, to, "  Maximum heap ", LogListener.Fact.HEAP_MAXIMUM);
                }
            }
            case 'I' -> size(b, m, to, "Initial Capacity: ", LogListener.Fact.HEAP_INITIAL);
            default -> {}
        }
    }

    private void version(byte[] b, int m, int to) {
        if (Bytes.startsWith(b, m, to, "Version: ")) {
            String value = Bytes.text(b, m + 9, to);
            int parenthesis = value.indexOf(" (");
            listener.fact(LogListener.Fact.JDK, parenthesis > 0 ? value.substring(0, parenthesis) : value);
        }
    }

    private void heap(byte[] b, int m, int to) {
        if (Bytes.startsWith(b, m, to, "Heap Region Size: ") || Bytes.startsWith(b, m, to, "Heap region size: ")) {
            heap.regionSize(Bytes.size(b, m + 18, to, after));
        } else if (Bytes.startsWith(b, m, to, "Heap address: ")) {
            int size = Bytes.indexOf(b, m, to, "size: ");
            int unit = Bytes.indexOf(b, m, to, " MB");
            if (size > 0 && unit > size && Bytes.whole(b, size + 6, unit) > 0) {
                listener.fact(LogListener.Fact.HEAP_MAXIMUM, Long.toString(Bytes.whole(b, size + 6, unit) << 20));
            }
        } else {
            size(b, m, to, "Heap Max Capacity: ", LogListener.Fact.HEAP_MAXIMUM);
            size(b, m, to, "Heap Initial Capacity: ", LogListener.Fact.HEAP_INITIAL);
        }
    }

    private void bytes(byte[] b, int m, int to, String key, LogListener.Fact fact) {
        int from = Bytes.indexOf(b, m, to, key);
        if (from > 0) {
            int number = from + key.length();
            long size = Bytes.whole(b, number, Bytes.afterDigits(b, number, to));
            if (size > 0) {
                listener.fact(fact, Long.toString(size));
            }
        }
    }

    private void size(byte[] b, int m, int to, String key, LogListener.Fact fact) {
        if (Bytes.startsWith(b, m, to, key)) {
            long size = Bytes.size(b, m + key.length(), to, after);
            if (size >= 0) {
                listener.fact(fact, Long.toString(size));
            }
        }
    }
}
