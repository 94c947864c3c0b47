/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi.host;

import java.util.Optional;
import java.util.OptionalInt;

/** A process that is another one, but for the methods that it has of its own: how it is stopped at least. */
public interface ForwardingProcess extends HostProcess {

    /** Returns the other one. */
    HostProcess process();

    @Override
    default String name() {
        return process().name();
    }

    @Override
    default long pid() {
        return process().pid();
    }

    @Override
    default boolean isAlive() {
        return process().isAlive();
    }

    @Override
    default OptionalInt exitCode() {
        return process().exitCode();
    }

    @Override
    default Optional<String> whyEnded() {
        return process().whyEnded();
    }

    @Override
    default Optional<String> losses() {
        return process().losses();
    }

    @Override
    default Output outputFrom(long offset) {
        return process().outputFrom(offset);
    }

    @Override
    default String lastLines(int count) {
        return process().lastLines(count);
    }
}
