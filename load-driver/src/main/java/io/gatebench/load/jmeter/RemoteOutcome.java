/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import io.gatebench.load.engine.stats.EncodedData;
import io.gatebench.load.engine.stats.RecordedLoad;
import io.gatebench.model.LoadGeneratorHealth;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.ResponseExcerpt;
import io.gatebench.model.WarmUpEnd;

/**
 * Measurement of one load generator, in the form in which it travels, and the sum of several.
 *
 * @param outcome what came out
 * @param health the load generator's own state
 */
public record RemoteOutcome(EmbeddedLoad.Outcome outcome, LoadGeneratorHealth health) {

    /** Writes this in a form that {@link #decode} reads. */
    public void encode(DataOutputStream out) throws IOException {
        encode(health, out);
        out.writeLong(outcome.started().toEpochMilli());
        out.writeLong(outcome.ended().toEpochMilli());
        out.writeLong(outcome.connectionsOpened());
        EncodedData.write(out, outcome.aborted().orElse(""));
        out.writeInt(outcome.unfinished());
        out.writeLong(outcome.intended());
        out.writeLong(outcome.startedInWindow());
        out.writeLong(outcome.late());
        out.writeInt(outcome.usersNeeded());
        out.writeLong(outcome.warmUp().took().toNanos());
        EncodedData.write(out, outcome.warmUp().reason().name());
        EncodedData.write(out, outcome.warmUp().detail());
        out.writeLong(outcome.probes().sent());
        out.writeLong(outcome.probes().wrong());
        EncodedData.write(out, outcome.probes().firstWrong());
        out.writeInt(outcome.firstFailures().size());
        for (ResponseExcerpt excerpt : outcome.firstFailures()) {
            out.writeLong(excerpt.at().toEpochMilli());
            out.writeInt(excerpt.status().orElse(0));
            EncodedData.write(out, excerpt.body());
            EncodedData.write(out, excerpt.message());
            out.writeInt(excerpt.headers().size());
            for (Map.Entry<String, String> header : excerpt.headers().entrySet()) {
                EncodedData.write(out, header.getKey());
                EncodedData.write(out, header.getValue());
            }
        }
        outcome.recorded().encode(out);
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @throws IOException if it is no such data
     */
    public static RemoteOutcome decode(DataInputStream in) throws IOException {
        LoadGeneratorHealth health = decodeHealth(in);
        return new RemoteOutcome(decodeOutcome(in), health);
    }

    private static void encode(LoadGeneratorHealth health, DataOutputStream out) throws IOException {
        encode(health.cpuOfMachinePercent(), out);
        encode(health.gcPauseMillis(), out);
        encode(health.schedulingDelayP99Millis(), out);
        encode(health.schedulingDelayMaxMillis(), out);
        encode(health.connectionsOpened(), out);
        out.writeBoolean(health.saturated());
        out.writeInt(health.reasons().size());
        for (String reason : health.reasons()) {
            EncodedData.write(out, reason);
        }
    }

    private static LoadGeneratorHealth decodeHealth(DataInputStream in) throws IOException {
        MeasuredValue cpu = decodeFigure(in);
        MeasuredValue gcPause = decodeFigure(in);
        MeasuredValue delayP99 = decodeFigure(in);
        MeasuredValue delayMax = decodeFigure(in);
        MeasuredValue connections = decodeFigure(in);
        boolean saturated = in.readBoolean();
        List<String> reasons = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            reasons.add(EncodedData.text(in));
        }
        return new LoadGeneratorHealth(cpu, gcPause, delayP99, delayMax, connections, saturated, reasons);
    }

    private static void encode(MeasuredValue figure, DataOutputStream out) throws IOException {
        out.writeBoolean(figure instanceof MeasuredValue.Measured);
        if (figure instanceof MeasuredValue.Measured measured) {
            out.writeDouble(measured.number());
        } else {
            EncodedData.write(out, ((MeasuredValue.Absent) figure).reason());
        }
    }

    private static MeasuredValue decodeFigure(DataInputStream in) throws IOException {
        return in.readBoolean() ? MeasuredValue.of(in.readDouble()) : MeasuredValue.absent(EncodedData.text(in));
    }

    private static EmbeddedLoad.Outcome decodeOutcome(DataInputStream in) throws IOException {
        Instant started = Instant.ofEpochMilli(in.readLong());
        Instant ended = Instant.ofEpochMilli(in.readLong());
        long connections = in.readLong();
        String aborted = EncodedData.text(in);
        int unfinished = in.readInt();
        long intended = in.readLong();
        long startedInWindow = in.readLong();
        long late = in.readLong();
        int usersNeeded = in.readInt();
        WarmUpEnd warmUp = new WarmUpEnd(
                Duration.ofNanos(in.readLong()), WarmUpEnd.Reason.valueOf(EncodedData.text(in)), EncodedData.text(in));
        SideProbeCount probes = new SideProbeCount(in.readLong(), in.readLong(), EncodedData.text(in));
        List<ResponseExcerpt> excerpts = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            Instant at = Instant.ofEpochMilli(in.readLong());
            int status = in.readInt();
            String body = EncodedData.text(in);
            String message = EncodedData.text(in);
            Map<String, String> headers = new TreeMap<>();
            for (int further = in.readInt(); further > 0; further--) {
                headers.put(EncodedData.text(in), EncodedData.text(in));
            }
            excerpts.add(new ResponseExcerpt(
                    at, status == 0 ? Optional.empty() : Optional.of(status), headers, body, message));
        }
        return new EmbeddedLoad.Outcome(
                started,
                ended,
                RecordedLoad.decode(in),
                excerpts,
                connections,
                aborted.isEmpty() ? Optional.empty() : Optional.of(aborted),
                unfinished,
                intended,
                startedInWindow,
                late,
                usersNeeded,
                warmUp,
                probes);
    }

    /**
     * Returns what both did together, as parts of one test: counts and histograms exactly, the users needed as the most
     * that both can have needed at once, and the earliest of their first failed answers.
     */
    public static EmbeddedLoad.Outcome sum(EmbeddedLoad.Outcome a, EmbeddedLoad.Outcome b) {
        List<ResponseExcerpt> excerpts = new ArrayList<>(a.firstFailures());
        excerpts.addAll(b.firstFailures());
        excerpts.sort(Comparator.comparing(ResponseExcerpt::at));
        return new EmbeddedLoad.Outcome(
                a.started().isBefore(b.started()) ? a.started() : b.started(),
                a.ended().isAfter(b.ended()) ? a.ended() : b.ended(),
                a.recorded().plus(b.recorded()),
                excerpts.subList(0, Math.min(excerpts.size(), LoadSession.EXCERPTS)),
                a.connectionsOpened() + b.connectionsOpened(),
                a.aborted().or(b::aborted),
                a.unfinished() + b.unfinished(),
                a.intended() + b.intended(),
                a.startedInWindow() + b.startedInWindow(),
                a.late() + b.late(),
                a.usersNeeded() + b.usersNeeded(),
                a.warmUp().took().compareTo(b.warmUp().took()) >= 0 ? a.warmUp() : b.warmUp(),
                a.probes().plus(b.probes()));
    }
}
