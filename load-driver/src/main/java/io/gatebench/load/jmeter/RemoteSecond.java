/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

import io.gatebench.model.SecondOfLoad;

/** The figures of a second as they travel while a test runs, and their sum over all load generators. */
final class RemoteSecond {

    /** Seconds that wait for a load generator which does not tell any more. */
    private static final int WAITING = 10;

    private final int loadGenerators;
    private final Consumer<SecondOfLoad> observer;
    private final Map<Integer, List<SecondOfLoad>> waiting = new TreeMap<>();

    /**
     * Creates a sum.
     *
     * @param loadGenerators how many tell of each second
     * @param observer is told of a second when all have, in order
     */
    RemoteSecond(int loadGenerators, Consumer<SecondOfLoad> observer) {
        this.loadGenerators = loadGenerators;
        this.observer = observer;
    }

    static byte[] encode(SecondOfLoad second) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(second.second());
            out.writeLong(second.samples());
            out.writeLong(second.errors());
            out.writeDouble(second.meanMillis());
            out.writeDouble(second.p50Millis());
            out.writeDouble(second.p99Millis());
            out.writeDouble(second.maxMillis());
            out.writeInt(second.users());
        }
        return bytes.toByteArray();
    }

    synchronized void add(byte[] encoded) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(encoded))) {
            SecondOfLoad second = new SecondOfLoad(
                    in.readInt(),
                    in.readLong(),
                    in.readLong(),
                    in.readDouble(),
                    in.readDouble(),
                    in.readDouble(),
                    in.readDouble(),
                    in.readInt());
            List<SecondOfLoad> parts = waiting.computeIfAbsent(second.second(), number -> new ArrayList<>());
            parts.add(second);
            if (parts.size() == loadGenerators) {
                waiting.remove(second.second());
                observer.accept(parts.stream().reduce(RemoteSecond::sum).orElseThrow());
            } else if (waiting.size() > WAITING) {
                waiting.remove(waiting.keySet().iterator().next());
            }
        }
    }

    /** Live figures: percentiles of both together are not known before the end, so the larger ones stand for them. */
    private static SecondOfLoad sum(SecondOfLoad a, SecondOfLoad b) {
        long samples = a.samples() + b.samples();
        return new SecondOfLoad(
                a.second(),
                samples,
                a.errors() + b.errors(),
                samples == 0 ? 0 : (a.meanMillis() * a.samples() + b.meanMillis() * b.samples()) / samples,
                Math.max(a.p50Millis(), b.p50Millis()),
                Math.max(a.p99Millis(), b.p99Millis()),
                Math.max(a.maxMillis(), b.maxMillis()),
                a.users() + b.users());
    }
}
