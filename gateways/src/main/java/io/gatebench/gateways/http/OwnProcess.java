/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.http;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.role.RoleStartException;

/** The process of a gateway that its owner has started, and ends: nothing here sends it a signal. */
final class OwnProcess implements HostProcess {

    private final String name;
    private final OptionalLong pid;
    private final Optional<AutoCloseable> stop;
    private final Runnable beforeStop;
    private final AtomicBoolean stopped = new AtomicBoolean();

    /**
     * Creates it.
     *
     * @param pid its process, if it is known
     * @param stop ends it, if its owner wants it ended
     * @param beforeStop is run once before that
     */
    OwnProcess(String name, OptionalLong pid, Optional<AutoCloseable> stop, Runnable beforeStop) {
        this.name = name;
        this.pid = pid;
        this.stop = stop;
        this.beforeStop = beforeStop;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long pid() {
        return pid.orElseThrow(() -> new IllegalStateException("the process of " + name + " is not known"));
    }

    @Override
    public boolean isAlive() {
        return !stopped.get()
                && (pid.isEmpty()
                        || ProcessHandle.of(pid.getAsLong())
                                .map(ProcessHandle::isAlive)
                                .orElse(false));
    }

    @Override
    public OptionalInt exitCode() {
        return OptionalInt.empty();
    }

    @Override
    public Output outputFrom(long offset) {
        return new Output("", offset);
    }

    @Override
    public String lastLines(int count) {
        return "";
    }

    @Override
    public void stop(Duration grace) {
        if (stopped.getAndSet(true)) {
            return;
        }
        beforeStop.run();
        if (stop.isPresent()) {
            try {
                stop.get().close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (Exception e) {
                throw new RoleStartException(name + " could not be stopped by its owner: " + e);
            }
        }
    }
}
