/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi;

import java.net.URI;
import java.util.List;

/**
 * Context of one case while it runs.
 *
 * @param run what holds for the whole run
 * @param backend the base URL of the back end as the gateway reaches it
 * @param directory the case's directory below the work directory of each host, relative
 * @param processors the numbers of the processors of its host that the gateway gets; empty for all
 * @since 0.1
 */
public record CaseContext(RunContext run, URI backend, String directory, List<Integer> processors) {

    /** Copies the list. */
    public CaseContext {
        processors = List.copyOf(processors);
    }

    /** Creates the context of a case whose gateway gets all processors. */
    public CaseContext(RunContext run, URI backend, String directory) {
        this(run, backend, directory, List.of());
    }
}
