/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Source of a real product: exactly one of the two is there.
 *
 * @param pack the pack that it is installed from and started anew from for each case
 * @param running the base URL at which it runs already
 */
record Origin(Optional<PackRun> pack, Optional<URI> running) {

    static Origin of(PackRun pack) {
        return new Origin(Optional.of(pack), Optional.empty());
    }

    static Origin of(URI running) {
        return new Origin(Optional.empty(), Optional.of(running));
    }

    /** Returns what a reader must know of the figures. */
    List<String> notes() {
        List<String> notes = new ArrayList<>(pack.map(PackRun::notes).orElse(List.of()));
        if (running.isPresent()) {
            notes.add("The gateway ran already: it was not started anew for each case, the heap sizes of the plan did"
                    + " not reach it, and there are no GC figures of it.");
        }
        return notes;
    }

    /** Returns what was measured: the pack's version, or the address. */
    Map<String, String> versions(String applicationName) {
        return Map.of(
                "gateway",
                pack.map(PackRun::version).orElseGet(() -> applicationName + " at " + running.orElseThrow()));
    }
}
