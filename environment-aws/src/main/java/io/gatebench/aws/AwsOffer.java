/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import software.amazon.awssdk.services.ec2.model.Filter;
import software.amazon.awssdk.services.ec2.model.Instance;
import software.amazon.awssdk.services.rds.model.DBInstance;

import io.gatebench.model.DatabaseServer;
import io.gatebench.model.cloud.CloudDeployment;
import io.gatebench.model.cloud.CloudException;
import io.gatebench.model.cloud.CloudOffer;
import io.gatebench.model.cloud.CloudRequest;
import io.gatebench.model.cloud.CloudResource;
import io.gatebench.model.cloud.ProvisionedHosts;

/** Checked machines that can be created. */
final class AwsOffer implements CloudOffer {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final int RUN_LENGTH = 8;
    private static final DateTimeFormatter AT =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Aws aws;
    private final PriceList prices;
    private final Order order;
    private final Path state;
    private final SecureRandom random;
    private final List<String> lines;

    /**
     * Order of what is to be created.
     *
     * @param image the identifier of the image
     * @param caller who may reach port 22
     */
    record Order(
            AwsSettings settings,
            CloudRequest request,
            String account,
            String image,
            String caller,
            AwsProvider.Estimate estimate) {}

    AwsOffer(Aws aws, PriceList prices, Order order, Path state, SecureRandom random, List<String> lines) {
        this.aws = aws;
        this.prices = prices;
        this.order = order;
        this.state = state;
        this.random = random;
        this.lines = List.copyOf(lines);
    }

    @Override
    public List<String> lines() {
        return lines;
    }

    @Override
    public double usdPerHour() {
        return order.estimate().usdPerHour();
    }

    @Override
    public CloudDeployment create() {
        Instant now = aws.clock().instant().truncatedTo(ChronoUnit.SECONDS);
        Instant end = now.plus(order.estimate().limit());
        String run = newRun();
        Journal journal =
                Journal.create(state, new Journal.Head(run, order.account(), aws.region(), now, end), aws.clock());
        aws.listener().note("run " + run + ", records in " + journal.directory());
        try {
            List<ProvisionedHosts> stacks = create(journal, end);
            return new AwsDeployment(aws, prices, journal, order, stacks);
        } catch (RuntimeException e) {
            giveBack(journal, e);
            throw e;
        }
    }

    private void giveBack(Journal journal, RuntimeException first) {
        // What interrupted the creation must not interrupt the removal.
        boolean interrupted = Thread.interrupted();
        aws.listener().note("removing what was created");
        try {
            List<CloudResource> left = AwsProvider.remove(journal, aws, prices);
            if (!left.isEmpty()) {
                first.addSuppressed(CloudException.failed("could not be removed: " + Removal.describe(left)));
                aws.listener()
                        .note("COULD NOT BE REMOVED: " + Removal.describe(left)
                                + "; try again with 'aws teardown --run "
                                + journal.head().run() + "'");
            }
        } catch (RuntimeException e) {
            first.addSuppressed(e);
            aws.listener()
                    .note("the removal failed (" + e.getMessage() + "); try again with 'aws teardown --run "
                            + journal.head().run() + "'");
        } finally {
            journal.close();
            aws.close();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private String newRun() {
        StringBuilder run = new StringBuilder();
        for (int i = 0; i < RUN_LENGTH; i++) {
            run.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return run.toString();
    }

    private List<ProvisionedHosts> create(Journal journal, Instant end) {
        AwsSettings settings = order.settings();
        String run = journal.head().run();
        Map<String, String> tags = StackTemplate.tags(settings, run, end.toString());
        Stacks stacks = new Stacks(aws);
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= order.request().stacks(); i++) {
            names.add("gatebench-" + run + "-" + i);
        }
        // Who stays puts the results there with his own rights; the machine that a run is left to needs one.
        Optional<ObjectPlace> archive =
                settings.archive().filter(place -> order.request().detached()).map(place -> place.below(run));
        String profile = "";
        if (settings.timer()) {
            // First of all: from here on the end is sure, whatever happens to this program.
            String guard = "gatebench-" + run + Removal.GUARD;
            journal.write("intended", "stack", guard);
            stacks.create(guard, StackTemplate.guard(run, names, AT.format(end), archive), Map.of(), tags);
            stacks.await(List.of(guard));
            if (archive.isPresent()) {
                profile = stacks.output(guard, StackTemplate.PROFILE);
            }
            journal.write("done", "stack", guard);
        }
        Map<String, Access> accesses = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            Access access = access(journal, name);
            accesses.put(name, access);
            Map<String, String> parameters = new HashMap<>(access.secretHostKeys());
            parameters.put("Image", order.image());
            parameters.put("Caller", order.caller());
            if (archive.isPresent()) {
                parameters.put(StackTemplate.PROFILE, profile);
            }
            journal.write("intended", "stack", name);
            stacks.create(
                    name,
                    StackTemplate.machines(
                            settings.forStack(i + 1),
                            run,
                            name,
                            access.login(),
                            access.publicHostKeys(),
                            archive.isPresent()),
                    parameters,
                    tags);
            journal.write("asked", "stack", name);
        }
        stacks.await(names);
        List<ProvisionedHosts> result = new ArrayList<>();
        for (String name : names) {
            result.add(hosts(journal, name, accesses.get(name)));
            journal.write("done", "stack", name);
        }
        return result;
    }

    /**
     * The keys of a stack, which exist here and there alone.
     *
     * @param login the public key that may log in
     * @param key the file of its private key
     * @param publicHostKeys by name of machine
     * @param secretHostKeys by name of parameter
     */
    private record Access(
            String login, Path key, Map<String, String> publicHostKeys, Map<String, String> secretHostKeys) {}

    private Access access(Journal journal, String stack) {
        Ed25519Keys login = Ed25519Keys.create(stack, random);
        Map<String, String> publicHostKeys = new LinkedHashMap<>();
        Map<String, String> secretHostKeys = new LinkedHashMap<>();
        if (order.settings().knownHosts().isEmpty()) {
            for (StackTemplate.Machine machine : StackTemplate.machines(order.settings())) {
                Ed25519Keys keys = Ed25519Keys.create(machine.name(), random);
                publicHostKeys.put(machine.name(), keys.publicKey());
                // It becomes part of a text in quotes.
                secretHostKeys.put(machine.hostKeyParameter(), keys.privateKey().replace("\n", "\\n"));
            }
        }
        return new Access(
                login.publicKey(), journal.secret("key-" + stack, login.privateKey()), publicHostKeys, secretHostKeys);
    }

    private ProvisionedHosts hosts(Journal journal, String stack, Access access) {
        Map<String, Instance> instances = new HashMap<>();
        aws.call(
                        "the machines of the stack " + stack + " cannot be looked at",
                        clients -> clients
                                .ec2()
                                .describeInstancesPaginator(request -> request.filters(
                                        Filter.builder()
                                                .name("tag:aws:cloudformation:stack-name")
                                                .values(stack)
                                                .build(),
                                        Filter.builder()
                                                .name("instance-state-name")
                                                .values("pending", "running")
                                                .build()))
                                .reservations()
                                .stream()
                                .flatMap(reservation -> reservation.instances().stream())
                                .toList())
                .forEach(instance -> instance.tags().stream()
                        .filter(tag -> tag.key().equals(StackTemplate.MACHINE_TAG))
                        .forEach(tag -> instances.put(tag.value(), instance)));
        List<ProvisionedHosts.Machine> machines = new ArrayList<>();
        StringBuilder known = new StringBuilder();
        for (StackTemplate.Machine machine : StackTemplate.machines(order.settings())) {
            Instance instance = instances.get(machine.name());
            if (instance == null) {
                throw CloudException.failed("the machine " + machine.name() + " of the stack " + stack
                        + " does not run, although the stack is complete");
            }
            String address =
                    order.settings().privateAddress() ? instance.privateIpAddress() : instance.publicIpAddress();
            if (address == null) {
                throw CloudException.failed("the machine " + machine.name() + " has no public address; reach it by"
                        + " address: private, e.g. through a VPN");
            }
            Map<String, String> details = new LinkedHashMap<>();
            details.put("AMI-ID", instance.imageId());
            details.put("Instance Type", instance.instanceTypeAsString());
            details.put("Region", aws.region());
            machines.add(new ProvisionedHosts.Machine(
                    machine.name(), machine.role(), address, instance.privateIpAddress(), details));
            String hostKey = access.publicHostKeys().get(machine.name());
            if (hostKey != null) {
                known.append(address)
                        .append(' ')
                        .append(hostKey, 0, hostKey.lastIndexOf(' '))
                        .append('\n');
            }
        }
        Path knownHosts =
                order.settings().knownHosts().orElseGet(() -> journal.secret("known-hosts-" + stack, known.toString()));
        return new ProvisionedHosts(
                stack,
                machines,
                order.settings().user(),
                access.key(),
                knownHosts,
                order.settings().java(),
                order.settings().installJava(),
                Map.of(),
                database(journal, stack));
    }

    /** Returns where the database is, after its password was brought here; nothing if there is none, or none of use. */
    private Optional<DatabaseServer> database(Journal journal, String stack) {
        if (order.settings().database().isEmpty()) {
            return Optional.empty();
        }
        DBInstance database = aws.call(
                "the database of the stack " + stack + " cannot be looked at",
                clients -> clients.rds()
                        .describeDBInstances(request -> request.dbInstanceIdentifier(stack))
                        .dbInstances()
                        .get(0));
        if (database.endpoint() == null || database.masterUserSecret() == null) {
            aws.listener()
                    .note("the database of the stack " + stack + " tells no address or no password: it is not used");
            return Optional.empty();
        }
        String secret = aws.call(
                "the password of the database of the stack " + stack + " cannot be read",
                clients -> clients.secrets()
                        .getSecretValue(request ->
                                request.secretId(database.masterUserSecret().secretArn()))
                        .secretString());
        try {
            JsonNode json = JSON.readTree(secret);
            return Optional.of(new DatabaseServer(
                    database.endpoint().address(),
                    database.endpoint().port(),
                    json.path("username").asText(),
                    "MySQL " + database.engineVersion() + " (" + database.dbInstanceClass() + ")",
                    journal.secret("database-" + stack, json.path("password").asText())));
        } catch (JsonProcessingException e) {
            // Its text, which the cause quotes, is a secret.
            throw CloudException.failed(
                    "the secret of the database of the stack " + stack + " is not as RDS writes it");
        }
    }
}
