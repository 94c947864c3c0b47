/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.run;

import java.net.URI;

/**
 * What holds for one case while it runs.
 *
 * @param run what holds for the whole run
 * @param backend the base URL of the back end as the gateway reaches it
 * @param directory the case's directory below the work directory of each host, relative
 * @since 0.1
 */
public record CaseContext(RunContext run, URI backend, String directory) {}
