/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.host.ProcessSpec;

/** A detached process on an SSH host; it is asked after at most once a second, which costs the host a few ms. */
final class SshProcess implements HostProcess {

    private static final Duration QUICK = Duration.ofSeconds(30);
    private static final long FRESH_NANOS = 1_000_000_000L;

    private enum State {
        ALIVE,
        ENDED,
        /** It is not there and left no exit code: the host was restarted, or its disk was full. */
        GONE
    }

    private final SshHost host;
    private final ProcessSpec spec;
    private final String role;
    private final long pid;
    private State state = State.ALIVE;
    private int code;
    private long askedAt = System.nanoTime();
    private long readAt;
    private long readTo = -1;

    SshProcess(SshHost host, ProcessSpec spec, String role, long pid) {
        this.host = host;
        this.spec = spec;
        this.role = role;
        this.pid = pid;
    }

    @Override
    public String name() {
        return spec.name();
    }

    @Override
    public long pid() {
        return pid;
    }

    @Override
    public synchronized boolean isAlive() {
        if (state == State.ALIVE && System.nanoTime() - askedAt > FRESH_NANOS) {
            ask(-1);
        }
        return state == State.ALIVE;
    }

    @Override
    public synchronized OptionalInt exitCode() {
        isAlive();
        return state == State.ENDED ? OptionalInt.of(code) : OptionalInt.empty();
    }

    /** Asks the host for the state and for output from an offset on, none if negative. */
    private byte[] ask(long offset) {
        HostConnection.Exec answer = host.verb(QUICK, "status", spec.directory(), role, String.valueOf(offset));
        byte[] bytes = answer.output();
        int end = 0;
        while (end < bytes.length && bytes[end] != '\n') {
            end++;
        }
        know(new String(bytes, 0, end, StandardCharsets.UTF_8));
        byte[] rest = new byte[Math.max(0, bytes.length - end - 1)];
        System.arraycopy(bytes, bytes.length - rest.length, rest, 0, rest.length);
        return rest;
    }

    private void know(String line) {
        askedAt = System.nanoTime();
        if (line.equals("alive")) {
            state = State.ALIVE;
        } else if (line.matches("ended \\d+")) {
            state = State.ENDED;
            code = Integer.parseInt(line.substring("ended ".length()));
        } else if (line.equals("gone")) {
            state = State.GONE;
        } else {
            throw new HostException(host.name() + " does not say how " + name() + " is: '" + line + "'");
        }
    }

    @Override
    public synchronized Output outputFrom(long offset) {
        if (state == State.ALIVE && offset == readTo && System.nanoTime() - readAt < FRESH_NANOS) {
            return new Output("", offset);
        }
        byte[] bytes = ask(offset);
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        // A line longer than what is asked for at once would otherwise never be passed.
        int taken = end == 0 && bytes.length == 1 << 20 ? bytes.length : end;
        readAt = System.nanoTime();
        readTo = offset + taken;
        return new Output(new String(bytes, 0, taken, StandardCharsets.UTF_8), readTo);
    }

    @Override
    public String lastLines(int count) {
        try {
            CommandResult tail = host.run(
                    List.of("tail", "-n", String.valueOf(count), spec.directory() + "/" + ProcessSpec.LOG), QUICK);
            return tail.output().stripTrailing();
        } catch (HostException e) {
            return "(its log cannot be read: " + e.getMessage() + ")";
        }
    }

    @Override
    public synchronized void stop(Duration grace) {
        try {
            String seconds = String.valueOf(Math.max(1, grace.toSeconds()));
            HostConnection.Exec answer = host.verb(grace.plus(QUICK), "stop", spec.directory(), role, seconds);
            String line = answer.text().trim();
            if (!line.isEmpty()) {
                know(line);
            }
        } catch (HostException e) {
            host.note(name() + " could not be stopped: " + e.getMessage());
        }
    }
}
