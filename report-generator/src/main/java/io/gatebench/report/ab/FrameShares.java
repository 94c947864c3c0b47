/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.ab;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;

/**
 * Methods that stood on the stack in another part of the samples of B than of those of A, by recordings of the JVM's flight
 * recorder.
 *
 * @param samplesA how often a thread of A was seen that ran Java code
 * @param samplesB the same of B
 * @param frames the methods whose parts differ beyond chance, the largest difference first
 */
public record FrameShares(long samplesA, long samplesB, List<Frame> frames) {

    /** Taken together so many standard errors are no accident among thousands of methods. */
    private static final double STANDARD_ERRORS = 4.5;
    /** More nobody reads. */
    private static final int MOST = 30;

    private static final String SAMPLE = "jdk.ExecutionSample";

    /** Copies the list. */
    public FrameShares {
        frames = List.copyOf(frames);
    }

    /**
     * A method.
     *
     * @param method class and name
     * @param a part of A's samples in which it is on the stack, from 0 to 1
     * @param b the same of B
     * @param ownA part of A's samples in which it is what runs
     * @param ownB the same of B
     */
    public record Frame(String method, double a, double b, double ownA, double ownB) {}

    /** Samples of one recording: how many there are, and in how many each method is on the stack, and at its end. */
    private record Samples(long all, Map<String, Long> onStack, Map<String, Long> atEnd) {

        static Samples of(Path recording) throws IOException {
            long all = 0;
            Map<String, Long> onStack = new HashMap<>();
            Map<String, Long> atEnd = new HashMap<>();
            try (RecordingFile file = new RecordingFile(recording)) {
                while (file.hasMoreEvents()) {
                    RecordedEvent event = file.readEvent();
                    if (!event.getEventType().getName().equals(SAMPLE) || event.getStackTrace() == null) {
                        continue;
                    }
                    List<String> stack = event.getStackTrace().getFrames().stream()
                            .filter(RecordedFrame::isJavaFrame)
                            .map(frame -> name(frame.getMethod()))
                            .toList();
                    if (stack.isEmpty()) {
                        continue;
                    }
                    all++;
                    atEnd.merge(stack.get(0), 1L, Long::sum);
                    // A method that calls itself is on the stack once.
                    new HashSet<>(stack).forEach(method -> onStack.merge(method, 1L, Long::sum));
                }
            }
            return new Samples(all, onStack, atEnd);
        }

        private static String name(RecordedMethod method) {
            // Classes and lambdas that the JVM makes have another number in each process.
            return (method.getType().getName() + "." + method.getName())
                    .replaceAll(
                            "(\\$\\$Lambda|LambdaForm\\$\\w+|GeneratedMethodAccessor|\\$Proxy)[\\w$/.]*\\d[\\w/]*\\.",
                            "$1.");
        }

        double part(Map<String, Long> of, String method) {
            return all == 0 ? 0 : (double) of.getOrDefault(method, 0L) / all;
        }
    }

    /**
     * Compares two recordings.
     *
     * @throws IOException if one cannot be read
     */
    public static FrameShares of(Path a, Path b) throws IOException {
        Samples ofA = Samples.of(a);
        Samples ofB = Samples.of(b);
        Set<String> methods = new HashSet<>(ofA.onStack().keySet());
        methods.addAll(ofB.onStack().keySet());
        List<Frame> frames = ofA.all() == 0 || ofB.all() == 0
                ? List.of()
                : methods.stream()
                        .map(method -> new Frame(
                                method,
                                ofA.part(ofA.onStack(), method),
                                ofB.part(ofB.onStack(), method),
                                ofA.part(ofA.atEnd(), method),
                                ofB.part(ofB.atEnd(), method)))
                        .filter(frame -> isBeyondChance(frame, ofA.all(), ofB.all()))
                        .sorted(Comparator.comparingDouble((Frame frame) -> -Math.abs(frame.b() - frame.a()))
                                .thenComparing(Frame::method))
                        .limit(MOST)
                        .toList();
        return new FrameShares(ofA.all(), ofB.all(), frames);
    }

    /** Of two recordings that are alike hardly any method differs by more; samples of one thread that follow each other are alike. */
    private static boolean isBeyondChance(Frame frame, long samplesA, long samplesB) {
        double common = (frame.a() * samplesA + frame.b() * samplesB) / (samplesA + samplesB);
        double error = Math.sqrt(common * (1 - common) * (1.0 / samplesA + 1.0 / samplesB));
        return Math.abs(frame.b() - frame.a()) > STANDARD_ERRORS * error;
    }
}
