/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import io.gatebench.load.stats.RecordedLoad;
import io.gatebench.model.ResponseExcerpt;

/** The form in which the outcome of a remote load generator travels, and the sum of several. */
final class RemoteOutcome {

    private RemoteOutcome() {}

    static void encode(EmbeddedLoad.Outcome outcome, DataOutputStream out) throws IOException {
        out.writeLong(outcome.started().toEpochMilli());
        out.writeLong(outcome.ended().toEpochMilli());
        out.writeLong(outcome.connectionsOpened());
        text(out, outcome.aborted().orElse(""));
        out.writeInt(outcome.unfinished());
        out.writeLong(outcome.intended());
        out.writeLong(outcome.startedInWindow());
        out.writeLong(outcome.late());
        out.writeInt(outcome.usersNeeded());
        out.writeInt(outcome.firstFailures().size());
        for (ResponseExcerpt excerpt : outcome.firstFailures()) {
            out.writeLong(excerpt.at().toEpochMilli());
            out.writeInt(excerpt.status().orElse(0));
            text(out, excerpt.body());
            text(out, excerpt.message());
            out.writeInt(excerpt.headers().size());
            for (Map.Entry<String, String> header : excerpt.headers().entrySet()) {
                text(out, header.getKey());
                text(out, header.getValue());
            }
        }
        outcome.recorded().encode(out);
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }

    static EmbeddedLoad.Outcome decode(DataInputStream in) throws IOException {
        Instant started = Instant.ofEpochMilli(in.readLong());
        Instant ended = Instant.ofEpochMilli(in.readLong());
        long connections = in.readLong();
        String aborted = text(in);
        int unfinished = in.readInt();
        long intended = in.readLong();
        long startedInWindow = in.readLong();
        long late = in.readLong();
        int usersNeeded = in.readInt();
        List<ResponseExcerpt> excerpts = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            Instant at = Instant.ofEpochMilli(in.readLong());
            int status = in.readInt();
            String body = text(in);
            String message = text(in);
            Map<String, String> headers = new TreeMap<>();
            for (int further = in.readInt(); further > 0; further--) {
                headers.put(text(in), text(in));
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
                usersNeeded);
    }

    static EmbeddedLoad.Outcome sum(EmbeddedLoad.Outcome a, EmbeddedLoad.Outcome b) {
        List<ResponseExcerpt> excerpts = new ArrayList<>(a.firstFailures());
        excerpts.addAll(b.firstFailures());
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
                a.usersNeeded() + b.usersNeeded());
    }
}
