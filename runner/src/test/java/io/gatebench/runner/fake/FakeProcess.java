/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.fake;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import io.gatebench.spi.host.HostProcess;

/** A process that does what a test plans; it ends when it is stopped, or told to. */
public final class FakeProcess implements HostProcess {

    private static final AtomicLong PIDS = new AtomicLong(1_000_000);
    private static final int STOPPED = 143;

    private final String name;
    private final long pid = PIDS.incrementAndGet();
    private final Supplier<String> output;
    private OptionalInt exitCode = OptionalInt.empty();

    /** Creates a process that runs and has written some lines. */
    public FakeProcess(String name, String output) {
        this(name, () -> output);
    }

    /** Creates a process that runs and writes more and more lines: all of them until now. */
    public FakeProcess(String name, Supplier<String> output) {
        this.name = name;
        this.output = output;
    }

    /** Ends it with an exit code; does nothing if it has ended. */
    public void end(int code) {
        if (exitCode.isEmpty()) {
            exitCode = OptionalInt.of(code);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long pid() {
        return pid;
    }

    @Override
    public boolean isAlive() {
        return exitCode.isEmpty();
    }

    @Override
    public OptionalInt exitCode() {
        return exitCode;
    }

    @Override
    public Output outputFrom(long offset) {
        byte[] all = output.get().getBytes(StandardCharsets.UTF_8);
        int from = (int) Math.min(offset, all.length);
        return new Output(new String(all, from, all.length - from, StandardCharsets.UTF_8), all.length);
    }

    @Override
    public String lastLines(int count) {
        return output.get().strip();
    }

    @Override
    public void stop(Duration grace) {
        end(STOPPED);
    }
}
