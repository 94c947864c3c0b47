/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi;

import java.nio.file.Path;
import java.time.Clock;
import java.util.OptionalInt;

import io.gatebench.model.PerfPlan;
import io.gatebench.spi.role.JvmRole;
import io.gatebench.spi.role.RoleJars;

/**
 * Context of a whole run.
 *
 * @param plan the plan
 * @param environment the hosts
 * @param jars the runnable jars of the roles
 * @param secrets a directory, readable by the owner alone and deleted after the run, for keys and tokens
 * @param gatewayPort the port that the gateway must have, if the user said
 * @param backendPort the port that the back end must have, if the user said
 * @param clock the wall clock
 * @param listener who is told what happens
 * @since 0.1
 */
public record RunContext(
        PerfPlan plan,
        Environment environment,
        RoleJars jars,
        Path secrets,
        OptionalInt gatewayPort,
        OptionalInt backendPort,
        Clock clock,
        RunListener listener) {

    /** Returns what starts a JVM with the heap of the plan and a GC log, and waits until it is ready. */
    public JvmRole jvms() {
        return new JvmRole(clock);
    }
}
