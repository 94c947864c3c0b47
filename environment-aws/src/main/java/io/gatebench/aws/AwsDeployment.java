/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

import io.gatebench.model.cloud.CloudDeployment;
import io.gatebench.model.cloud.CloudException;
import io.gatebench.model.cloud.CloudResource;
import io.gatebench.model.cloud.ProvisionedHosts;

/** Machines that run. */
final class AwsDeployment implements CloudDeployment {

    private final Aws aws;
    private final PriceList prices;
    private final Journal journal;
    private final AwsOffer.Order order;
    private final List<ProvisionedHosts> stacks;
    private boolean keep;
    private boolean detached;
    private boolean closed;

    AwsDeployment(Aws aws, PriceList prices, Journal journal, AwsOffer.Order order, List<ProvisionedHosts> stacks) {
        this.aws = aws;
        this.prices = prices;
        this.journal = journal;
        this.order = order;
        this.stacks = List.copyOf(stacks);
    }

    @Override
    public String run() {
        return journal.head().run();
    }

    @Override
    public List<ProvisionedHosts> stacks() {
        return stacks;
    }

    @Override
    public Instant end() {
        return journal.head().end();
    }

    @Override
    public Duration lease() {
        return order.settings().lease();
    }

    @Override
    public List<String> leaseCommand() {
        return List.of("sudo", "-n", StackTemplate.LEASE_COMMAND);
    }

    @Override
    public List<String> notes() {
        String types = StackTemplate.machines(order.settings()).stream()
                .map(machine -> machine.name() + " " + machine.type())
                .collect(Collectors.joining(", "));
        List<String> notes = new ArrayList<>();
        notes.add("Measured in AWS, region " + aws.region() + ", image " + order.image() + ": " + types + ".");
        notes.add("The environment aws is experimental: it was tried with emulators of AWS, never in AWS itself.");
        return notes;
    }

    @Override
    public Optional<String> archive() {
        return order.settings().archive().map(place -> place.below(run()).toString());
    }

    @Override
    public synchronized void keep() {
        keep = true;
    }

    @Override
    public synchronized void detach() {
        detached = true;
        journal.write("detached", "run", run());
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (detached) {
                return;
            }
            if (keep) {
                journal.write("kept", "run", run());
                aws.listener()
                        .note(String.format(
                                Locale.ROOT,
                                "kept: run %s costs about %.2f USD per hour until its machines end; remove it with"
                                        + " 'aws teardown --run %s'",
                                run(),
                                order.estimate().usdPerHour(),
                                run()));
                return;
            }
            List<CloudResource> left = AwsProvider.remove(journal, aws, prices);
            if (!left.isEmpty()) {
                throw CloudException.failed("could not be removed: " + Removal.describe(left)
                        + "; try again with 'aws teardown --run " + run() + "'");
            }
            aws.listener().note("everything of the run " + run() + " is removed");
        } finally {
            journal.close();
            aws.close();
        }
    }
}
