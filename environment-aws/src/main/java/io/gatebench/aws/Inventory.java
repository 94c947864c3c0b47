/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.ec2.model.Filter;
import software.amazon.awssdk.services.ec2.model.Instance;
import software.amazon.awssdk.services.ec2.model.InternetGateway;
import software.amazon.awssdk.services.ec2.model.NetworkInterface;
import software.amazon.awssdk.services.ec2.model.RouteTable;
import software.amazon.awssdk.services.ec2.model.SecurityGroup;
import software.amazon.awssdk.services.ec2.model.Subnet;
import software.amazon.awssdk.services.ec2.model.Tag;
import software.amazon.awssdk.services.ec2.model.Volume;
import software.amazon.awssdk.services.rds.model.DBInstance;

import io.gatebench.model.cloud.CloudException;
import io.gatebench.model.cloud.CloudResource;

/**
 * Finds what runs have left in a region, by asking each service, and removes it.
 *
 * <p>Resources are found by their tag, by their name, and by the network that they are in: a stack record that has
 * vanished, or a resource that lost its tag, hides nothing.
 */
final class Inventory {

    private static final Pattern NAME = Pattern.compile("gatebench-([a-z0-9]{8})(?:-.*)?");
    private static final Pattern PATH = Pattern.compile("/gatebench/([a-z0-9]{8})/");
    /** First wait: what is free of machines is gone at once; machines take a minute or more. */
    private static final Duration FIRST_WAIT = Duration.ofSeconds(1);

    private static final Duration MAX_WAIT = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofMinutes(20);

    /** In this order resources can be removed: what stands in another's way comes first. */
    private enum Kind {
        INSTANCE("instance"),
        DATABASE("database"),
        VOLUME("volume"),
        INTERFACE("network interface"),
        INTERNET_GATEWAY("internet gateway"),
        DATABASE_SUBNETS("database subnet group"),
        SUBNET("subnet"),
        ROUTE_TABLE("route table"),
        SECURITY_GROUP("security group"),
        NETWORK("network"),
        SCHEDULE("schedule"),
        PROFILE("instance profile"),
        ROLE("role"),
        STACK("stack");

        private final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    /** One thing that exists. */
    private record Found(Kind kind, String id, String run, String state, String type, Map<String, String> more) {}

    private final Aws aws;
    private final PriceList prices;

    Inventory(Aws aws, PriceList prices) {
        this.aws = aws;
        this.prices = prices;
    }

    /** Returns what exists of one run or of all. */
    List<CloudResource> resources(Optional<String> run) {
        List<Found> all = find(run);
        Map<String, Instant> expiries = new HashMap<>();
        all.forEach(found -> {
            try {
                expiries.put(found.run(), Instant.parse(found.more().getOrDefault(StackTemplate.EXPIRY_TAG, "")));
            } catch (DateTimeParseException e) {
                expiries.putIfAbsent(found.run(), Instant.MAX);
            }
        });
        return all.stream()
                .map(found -> new CloudResource(
                        aws.region(),
                        found.run(),
                        found.kind().text,
                        found.id(),
                        found.state(),
                        price(found),
                        Optional.of(expiries.get(found.run())).filter(expiry -> !expiry.equals(Instant.MAX))))
                .toList();
    }

    private Optional<Double> price(Found found) {
        return switch (found.kind()) {
            case INSTANCE -> prices.perHour(aws.region(), "instance", found.type());
            case DATABASE -> prices.perHour(aws.region(), "database", found.type());
            case VOLUME -> prices.diskPerHour(aws.region(), "gp3", Integer.parseInt(found.type()));
            default -> Optional.of(0.0);
        };
    }

    /**
     * Removes what exists of a run, pass by pass, until nothing does or the time is over.
     *
     * @param guardToo whether the timers go too, which are free and may still be needed when the rest stays
     * @return what still exists
     */
    List<CloudResource> sweep(String run, boolean guardToo) {
        Instant deadline = aws.clock().instant().plus(LONGEST);
        Set<String> told = new HashSet<>();
        Duration wait = FIRST_WAIT;
        while (true) {
            List<Found> all = find(Optional.of(run));
            aws.listener().removing(all.size());
            List<Found> left =
                    all.stream().filter(found -> guardToo || !isOfGuard(found)).toList();
            if (left.isEmpty()) {
                return List.of();
            }
            if (aws.clock().instant().isAfter(deadline)
                    || Thread.currentThread().isInterrupted()) {
                return resources(Optional.of(run));
            }
            boolean machines = left.stream().anyMatch(Inventory::isMachine);
            for (Found found : left) {
                if (machines && found.kind().compareTo(Kind.VOLUME) > 0) {
                    // What machines are in can go only after them.
                    break;
                }
                try {
                    remove(found);
                    if (told.add(found.kind() + found.id())) {
                        aws.listener().note("removing the " + found.kind().text + " " + found.id());
                    }
                } catch (SdkException e) {
                    if (told.add(found.kind() + found.id() + e.getMessage())) {
                        aws.listener()
                                .note("the " + found.kind().text + " " + found.id() + " cannot be removed yet: "
                                        + Aws.explain(e));
                    }
                }
            }
            aws.pause().of(wait);
            wait = wait.multipliedBy(2).compareTo(MAX_WAIT) < 0 ? wait.multipliedBy(2) : MAX_WAIT;
        }
    }

    /** Returns whether something belongs to the account and to no region of it. */
    static boolean isGlobal(CloudResource resource) {
        return resource.kind().equals(Kind.ROLE.text) || resource.kind().equals(Kind.PROFILE.text);
    }

    private static boolean isMachine(Found found) {
        return found.kind() == Kind.INSTANCE || found.kind() == Kind.DATABASE;
    }

    private static boolean isOfGuard(Found found) {
        return found.kind() == Kind.SCHEDULE
                || found.kind() == Kind.PROFILE
                || found.kind() == Kind.ROLE
                || found.kind() == Kind.STACK && found.id().endsWith(Removal.GUARD);
    }

    private void remove(Found found) {
        String id = found.id();
        aws.plain(clients -> switch (found.kind()) {
            case INSTANCE -> clients.ec2().terminateInstances(request -> request.instanceIds(id));
            case DATABASE ->
                clients.rds()
                        .deleteDBInstance(request -> request.dbInstanceIdentifier(id)
                                .skipFinalSnapshot(true)
                                .deleteAutomatedBackups(true));
            case VOLUME -> clients.ec2().deleteVolume(request -> request.volumeId(id));
            case INTERFACE -> clients.ec2().deleteNetworkInterface(request -> request.networkInterfaceId(id));
            case INTERNET_GATEWAY -> {
                if (found.more().containsKey("network")) {
                    clients.ec2()
                            .detachInternetGateway(request -> request.internetGatewayId(id)
                                    .vpcId(found.more().get("network")));
                }
                yield clients.ec2().deleteInternetGateway(request -> request.internetGatewayId(id));
            }
            case DATABASE_SUBNETS -> clients.rds().deleteDBSubnetGroup(request -> request.dbSubnetGroupName(id));
            case SUBNET -> clients.ec2().deleteSubnet(request -> request.subnetId(id));
            case ROUTE_TABLE -> clients.ec2().deleteRouteTable(request -> request.routeTableId(id));
            case SECURITY_GROUP -> removeGroup(clients, id);
            case NETWORK -> clients.ec2().deleteVpc(request -> request.vpcId(id));
            case SCHEDULE -> clients.schedules().deleteSchedule(request -> request.name(id));
            case PROFILE -> removeProfile(clients, id);
            case ROLE -> removeRole(clients, id);
            case STACK -> clients.stacks().deleteStack(request -> request.stackName(id));
        });
    }

    /** Groups that name each other can be deleted only without their rules. */
    private static Object removeGroup(Aws.Clients clients, String id) {
        SecurityGroup group =
                clients.ec2().describeSecurityGroups(request -> request.groupIds(id)).securityGroups().stream()
                        .findFirst()
                        .orElseThrow();
        if (!group.ipPermissions().isEmpty()) {
            clients.ec2()
                    .revokeSecurityGroupIngress(request -> request.groupId(id).ipPermissions(group.ipPermissions()));
        }
        return clients.ec2().deleteSecurityGroup(request -> request.groupId(id));
    }

    private static Object removeProfile(Aws.Clients clients, String id) {
        clients.iam()
                .getInstanceProfile(request -> request.instanceProfileName(id))
                .instanceProfile()
                .roles()
                .forEach(role -> clients.iam()
                        .removeRoleFromInstanceProfile(
                                request -> request.instanceProfileName(id).roleName(role.roleName())));
        return clients.iam().deleteInstanceProfile(request -> request.instanceProfileName(id));
    }

    private static Object removeRole(Aws.Clients clients, String id) {
        clients.iam()
                .listRolePolicies(request -> request.roleName(id))
                .policyNames()
                .forEach(policy -> clients.iam()
                        .deleteRolePolicy(request -> request.roleName(id).policyName(policy)));
        return clients.iam().deleteRole(request -> request.roleName(id));
    }

    private List<Found> find(Optional<String> run) {
        try {
            Map<String, Found> all = new LinkedHashMap<>();
            stacks().forEach(found -> all.put(found.kind() + found.id(), found));
            Map<String, String> networks = ofEc2(all);
            ofOtherServices(all);
            inNetworks(networks, all);
            return all.values().stream()
                    .filter(found -> run.isEmpty() || run.get().equals(found.run()))
                    .sorted(Comparator.comparing(Found::run).thenComparing(Found::kind))
                    .toList();
        } catch (SdkException e) {
            throw CloudException.failed("what is left in " + aws.region() + " cannot be told: " + Aws.explain(e), e);
        }
    }

    private List<Found> stacks() {
        return aws
                .plain(clients -> clients.stacks().describeStacksPaginator().stacks().stream()
                        .toList())
                .stream()
                .filter(stack -> NAME.matcher(stack.stackName()).matches()
                        && !Stacks.tag(stack, StackTemplate.RUN_TAG).isEmpty()
                        && !stack.stackStatusAsString().equals("DELETE_COMPLETE"))
                .map(stack -> new Found(
                        Kind.STACK,
                        stack.stackName(),
                        Stacks.tag(stack, StackTemplate.RUN_TAG),
                        stack.stackStatusAsString(),
                        "",
                        stack.tags().stream()
                                .collect(Collectors.toMap(
                                        software.amazon.awssdk.services.cloudformation.model.Tag::key,
                                        software.amazon.awssdk.services.cloudformation.model.Tag::value,
                                        (a, b) -> b))))
                .toList();
    }

    /** Puts what carries the tag, and returns the networks with their runs. */
    private Map<String, String> ofEc2(Map<String, Found> all) {
        Filter tagged =
                Filter.builder().name("tag-key").values(StackTemplate.RUN_TAG).build();
        Map<String, String> networks = new HashMap<>();
        aws.plain(clients -> {
            Map<String, String> machines = new HashMap<>();
            clients.ec2().describeInstancesPaginator(request -> request.filters(tagged)).reservations().stream()
                    .flatMap(reservation -> reservation.instances().stream())
                    .filter(instance -> !instance.state().nameAsString().equals("terminated"))
                    .forEach(instance -> {
                        machines.put(instance.instanceId(), run(instance.tags()));
                        put(all, Kind.INSTANCE, instance.instanceId(), instance.tags(), "instance", instance);
                    });
            clients.ec2().describeVpcsPaginator(request -> request.filters(tagged)).vpcs().stream()
                    .forEach(vpc -> {
                        networks.put(vpc.vpcId(), run(vpc.tags()));
                        put(all, Kind.NETWORK, vpc.vpcId(), vpc.tags(), "available", vpc);
                    });
            List<Volume> volumes = new ArrayList<>();
            clients.ec2()
                    .describeVolumesPaginator(request -> request.filters(tagged))
                    .volumes()
                    .forEach(volumes::add);
            if (!machines.isEmpty()) {
                Filter attached = Filter.builder()
                        .name("attachment.instance-id")
                        .values(machines.keySet())
                        .build();
                clients.ec2()
                        .describeVolumesPaginator(request -> request.filters(attached))
                        .volumes()
                        .forEach(volumes::add);
            }
            volumes.forEach(volume -> {
                String owner = run(volume.tags());
                if (owner.isEmpty() && !volume.attachments().isEmpty()) {
                    owner = machines.getOrDefault(volume.attachments().get(0).instanceId(), "");
                }
                all.put(
                        Kind.VOLUME + volume.volumeId(),
                        new Found(
                                Kind.VOLUME,
                                volume.volumeId(),
                                owner,
                                volume.stateAsString(),
                                String.valueOf(volume.size()),
                                Map.of()));
            });
            clients
                    .ec2()
                    .describeNetworkInterfacesPaginator(request -> request.filters(tagged))
                    .networkInterfaces()
                    .stream()
                    .forEach(item -> put(all, Kind.INTERFACE, item.networkInterfaceId(), item.tagSet(), "", item));
            clients.ec2()
                    .describeInternetGatewaysPaginator(request -> request.filters(tagged))
                    .internetGateways()
                    .forEach(item -> putGateway(all, item, run(item.tags())));
            clients.ec2().describeSubnetsPaginator(request -> request.filters(tagged)).subnets().stream()
                    .forEach(item -> put(all, Kind.SUBNET, item.subnetId(), item.tags(), "", item));
            clients.ec2().describeRouteTablesPaginator(request -> request.filters(tagged)).routeTables().stream()
                    .filter(Inventory::isOwn)
                    .forEach(item -> put(all, Kind.ROUTE_TABLE, item.routeTableId(), item.tags(), "", item));
            clients.ec2().describeSecurityGroupsPaginator(request -> request.filters(tagged)).securityGroups().stream()
                    .filter(group -> !group.groupName().equals("default"))
                    .forEach(item -> put(all, Kind.SECURITY_GROUP, item.groupId(), item.tags(), "", item));
            return all.size();
        });
        return networks;
    }

    /** The main table of a network goes with the network and cannot be deleted. */
    private static boolean isOwn(RouteTable table) {
        return table.associations().stream().noneMatch(association -> Boolean.TRUE.equals(association.main()));
    }

    private void inNetworks(Map<String, String> networks, Map<String, Found> all) {
        if (networks.isEmpty()) {
            return;
        }
        Filter inside =
                Filter.builder().name("vpc-id").values(networks.keySet()).build();
        Filter attached = Filter.builder()
                .name("attachment.vpc-id")
                .values(networks.keySet())
                .build();
        aws.plain(clients -> {
            for (NetworkInterface item : clients.ec2()
                    .describeNetworkInterfacesPaginator(r -> r.filters(inside))
                    .networkInterfaces()) {
                String owner = networks.get(item.vpcId());
                boolean inUse = "in-use".equals(item.statusAsString());
                // One that is in use goes with what uses it.
                if (!inUse
                        || all.values().stream().noneMatch(found -> found.run().equals(owner) && isMachine(found))) {
                    put(all, Kind.INTERFACE, item.networkInterfaceId(), owner, item.statusAsString());
                }
            }
            for (Subnet item : clients.ec2()
                    .describeSubnetsPaginator(r -> r.filters(inside))
                    .subnets()) {
                put(all, Kind.SUBNET, item.subnetId(), networks.get(item.vpcId()), "available");
            }
            clients.ec2().describeRouteTablesPaginator(r -> r.filters(inside)).routeTables().stream()
                    .filter(Inventory::isOwn)
                    .forEach(item ->
                            put(all, Kind.ROUTE_TABLE, item.routeTableId(), networks.get(item.vpcId()), "available"));
            clients.ec2().describeSecurityGroupsPaginator(r -> r.filters(inside)).securityGroups().stream()
                    .filter(item -> !item.groupName().equals("default"))
                    .forEach(item ->
                            put(all, Kind.SECURITY_GROUP, item.groupId(), networks.get(item.vpcId()), "available"));
            for (InternetGateway item : clients.ec2()
                    .describeInternetGatewaysPaginator(r -> r.filters(attached))
                    .internetGateways()) {
                item.attachments().stream()
                        .findFirst()
                        .ifPresent(attachment -> putGateway(all, item, networks.get(attachment.vpcId())));
            }
            return all.size();
        });
    }

    private static void putGateway(Map<String, Found> all, InternetGateway item, String run) {
        Map<String, String> more = item.attachments().isEmpty()
                ? Map.of()
                : Map.of("network", item.attachments().get(0).vpcId());
        all.put(
                Kind.INTERNET_GATEWAY + item.internetGatewayId(),
                new Found(
                        Kind.INTERNET_GATEWAY,
                        item.internetGatewayId(),
                        run,
                        more.isEmpty() ? "available" : "attached",
                        "",
                        more));
    }

    private void ofOtherServices(Map<String, Found> all) {
        aws.plain(clients -> {
            for (DBInstance item : clients.rds().describeDBInstancesPaginator().dbInstances()) {
                named(item.dbInstanceIdentifier())
                        .ifPresent(run -> all.put(
                                Kind.DATABASE + item.dbInstanceIdentifier(),
                                new Found(
                                        Kind.DATABASE,
                                        item.dbInstanceIdentifier(),
                                        run,
                                        item.dbInstanceStatus(),
                                        item.dbInstanceClass(),
                                        Map.of())));
            }
            clients.rds()
                    .describeDBSubnetGroupsPaginator()
                    .dbSubnetGroups()
                    .forEach(item -> named(item.dbSubnetGroupName())
                            .ifPresent(run -> put(
                                    all,
                                    Kind.DATABASE_SUBNETS,
                                    item.dbSubnetGroupName(),
                                    run,
                                    item.subnetGroupStatus())));
            clients.schedules()
                    .listSchedulesPaginator(request -> request.namePrefix("gatebench-"))
                    .schedules()
                    .forEach(item -> named(item.name())
                            .ifPresent(run -> put(all, Kind.SCHEDULE, item.name(), run, item.stateAsString())));
            clients.iam()
                    .listInstanceProfilesPaginator(request -> request.pathPrefix("/gatebench/"))
                    .instanceProfiles()
                    .forEach(item -> pathOf(item.path())
                            .ifPresent(run -> put(all, Kind.PROFILE, item.instanceProfileName(), run, "exists")));
            clients.iam()
                    .listRolesPaginator(request -> request.pathPrefix("/gatebench/"))
                    .roles()
                    .forEach(item ->
                            pathOf(item.path()).ifPresent(run -> put(all, Kind.ROLE, item.roleName(), run, "exists")));
            return all.size();
        });
    }

    private static Optional<String> named(String name) {
        Matcher matcher = NAME.matcher(name);
        return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    private static Optional<String> pathOf(String path) {
        Matcher matcher = PATH.matcher(path);
        return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    private static void put(Map<String, Found> all, Kind kind, String id, String run, String state) {
        all.putIfAbsent(kind + id, new Found(kind, id, run, String.valueOf(state), "", Map.of()));
    }

    private static void put(
            Map<String, Found> all, Kind kind, String id, List<Tag> tags, String state, Object resource) {
        Map<String, String> more = tags.stream().collect(Collectors.toMap(Tag::key, Tag::value, (a, b) -> b));
        String type = resource instanceof Instance instance ? instance.instanceTypeAsString() : "";
        String told = resource instanceof Instance instance ? instance.state().nameAsString() : state;
        all.put(kind + id, new Found(kind, id, run(tags), told, type, more));
    }

    private static String run(List<Tag> tags) {
        return tags.stream()
                .filter(tag -> tag.key().equals(StackTemplate.RUN_TAG))
                .map(Tag::value)
                .findFirst()
                .orElse("");
    }
}
