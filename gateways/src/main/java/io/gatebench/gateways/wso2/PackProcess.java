/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.ForwardingProcess;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.host.Pause;

/**
 * A product that its start script runs as a child: the process that counts, and that is stopped, is the JVM.
 *
 * <p>Its id is read from the product's process id file, but believed only if that process descends from the script
 * that was started here; without such a file the script's JVM is looked for.
 */
final class PackProcess implements ForwardingProcess {

    private static final Duration COMMAND = Duration.ofSeconds(15);
    private static final Duration POLL = Duration.ofMillis(100);

    private static final String FIND = """
            root=$0; file=$1
            ours() {
              above=$1
              while [ "${above:-0}" -gt 1 ]; do
                [ "$above" = "$root" ] && return 0
                above=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$above/status" 2>/dev/null)
              done
              return 1
            }
            if [ -r "$file" ]; then
              p=$(tr -dc 0-9 <"$file")
              if ours "$p"; then echo "$p"; exit 0; fi
            fi
            for d in /proc/[0-9]*; do
              if [ "$(cat "$d/comm" 2>/dev/null)" = java ] && ours "${d#/proc/}"; then echo "${d#/proc/}"; exit 0; fi
            done
            exit 1
            """;

    private final HostProcess script;
    private final Host host;
    private final String pidFile;
    private final Optional<CpuLimit> limit;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private OptionalLong jvm = OptionalLong.empty();

    PackProcess(HostProcess script, Host host, String pidFile, Optional<CpuLimit> limit) {
        this.script = script;
        this.host = host;
        this.pidFile = pidFile;
        this.limit = limit;
    }

    /** Looks for the JVM, after the product has said that it is ready; returns whether it was found. */
    boolean findJvm() {
        CommandResult result = host.run(List.of("/bin/sh", "-c", FIND, String.valueOf(script.pid()), pidFile), COMMAND);
        if (result.exitCode() == 0) {
            jvm = OptionalLong.of(Long.parseLong(result.output().strip()));
        }
        return jvm.isPresent();
    }

    @Override
    public HostProcess process() {
        return script;
    }

    /** Returns the id of the JVM once it is known, before that the script's. */
    @Override
    public long pid() {
        return jvm.orElseGet(script::pid);
    }

    @Override
    public void stop(Duration grace) {
        if (stopped.getAndSet(true)) {
            return;
        }
        try {
            if (script.isAlive() && (jvm.isPresent() || findJvm())) {
                host.run(List.of("kill", "-TERM", String.valueOf(jvm.getAsLong())), COMMAND);
                Pause.untilEnded(script, grace, POLL);
            }
        } catch (HostException e) {
            // The script below is ended in any case, and its children with it.
        }
        script.stop(grace);
        limit.ifPresent(l -> l.remove(host));
    }
}
