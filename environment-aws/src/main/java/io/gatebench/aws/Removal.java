/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.gatebench.model.cloud.CloudResource;

/** Removes all of one run: stacks first, then what they left, the timers last. */
final class Removal {

    /** Ending of the name of the stack with the timers. */
    static final String GUARD = "-guard";

    private final Aws aws;
    private final Inventory inventory;

    Removal(Aws aws, PriceList prices) {
        this.aws = aws;
        this.inventory = new Inventory(aws, prices);
    }

    /**
     * Removes a run and looks whether it is gone.
     *
     * @param intended the stacks that the records of the run name
     * @return what could not be removed; the timers then stay too, as they may still remove it
     */
    List<CloudResource> of(String run, Set<String> intended) {
        Set<String> names = new TreeSet<>(intended);
        List<CloudResource> there = inventory.resources(Optional.of(run));
        aws.listener().removing(there.size());
        there.stream()
                .filter(resource -> resource.kind().equals("stack"))
                .map(CloudResource::id)
                .forEach(names::add);
        Stacks stacks = new Stacks(aws);
        stacks.delete(names.stream().filter(name -> !name.endsWith(GUARD)).toList());
        List<CloudResource> left = inventory.sweep(run, false);
        if (!left.isEmpty()) {
            return left;
        }
        stacks.delete(names.stream().filter(name -> name.endsWith(GUARD)).toList());
        return inventory.sweep(run, true);
    }

    /** Says in words what is left, with its price. */
    static String describe(List<CloudResource> left) {
        return left.stream()
                .map(resource -> resource.kind() + " " + resource.id() + " in " + resource.region() + " ("
                        + resource.state()
                        + resource.usdPerHour()
                                .map(usd ->
                                        usd == 0 ? "" : String.format(Locale.ROOT, ", about %.3f USD per hour", usd))
                                .orElse(", price unknown")
                        + ")")
                .collect(Collectors.joining("; "));
    }
}
