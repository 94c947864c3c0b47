/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.ec2.model.Filter;
import software.amazon.awssdk.services.ec2.model.InstanceTypeInfo;

import io.gatebench.model.cloud.CloudException;

/**
 * Compares what stacks need with what the account may have, before anything costs.
 *
 * <p>The public addresses of the machines come from the network and count against no quota of elastic ones.
 */
final class Quotas {

    private static final String STANDARD_FAMILIES = "[acdhimrtz][0-9].*";

    /** The kinds of things of which an account may have so many in a region. */
    private enum Kind {
        VCPUS("vCPUs", "vCPUs of standard instances", "ec2", "L-1216C47A", "use smaller types"),
        NETWORKS("networks", "networks (VPCs)", "vpc", "L-F678F1CE", "remove one that nobody uses"),
        INTERNET_GATEWAYS("internet gateways", "internet gateways", "vpc", "L-A4707A72", "remove one that nobody uses"),
        DATABASES("databases", "database instances", "rds", "L-7B6409FD", "remove one that nobody uses");

        private final String name;
        private final String longName;
        private final String service;
        private final String code;
        private final String wayOut;

        Kind(String name, String longName, String service, String code, String wayOut) {
            this.name = name;
            this.longName = longName;
            this.service = service;
            this.code = code;
            this.wayOut = wayOut;
        }
    }

    private final Aws aws;
    private final List<String> found = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    private Quotas(Aws aws) {
        this.aws = aws;
    }

    /**
     * Returns what is needed, used and allowed, in one line.
     *
     * @throws CloudException with every quota that does not suffice, or if an instance type does not exist here
     */
    static String check(Aws aws, AwsSettings settings, int stacks) {
        Quotas quotas = new Quotas(aws);
        quotas.compare(Kind.VCPUS, stacks * quotas.vcpus(settings), Quotas::usedVcpus);
        quotas.compare(Kind.NETWORKS, stacks, clients ->
                (int) clients.ec2().describeVpcsPaginator().vpcs().stream().count());
        quotas.compare(
                Kind.INTERNET_GATEWAYS,
                stacks,
                clients -> (int) clients.ec2().describeInternetGatewaysPaginator().internetGateways().stream()
                        .count());
        if (settings.database().isPresent()) {
            quotas.compare(
                    Kind.DATABASES,
                    stacks,
                    clients -> (int) clients.rds().describeDBInstancesPaginator().dbInstances().stream()
                            .count());
        }
        if (!quotas.problems.isEmpty()) {
            throw CloudException.usage(quotas.problems);
        }
        return String.join("; ", quotas.found);
    }

    private int vcpus(AwsSettings settings) {
        List<StackTemplate.Machine> machines = StackTemplate.machines(settings);
        Set<String> types =
                machines.stream().map(StackTemplate.Machine::type).collect(Collectors.toCollection(TreeSet::new));
        Map<String, Integer> each = aws
                .call(
                        "the instance types " + types + " cannot be used",
                        clients -> clients.ec2()
                                .describeInstanceTypes(request -> request.instanceTypesWithStrings(types))
                                .instanceTypes())
                .stream()
                .collect(Collectors.toMap(
                        InstanceTypeInfo::instanceTypeAsString,
                        info -> info.vCpuInfo().defaultVCpus(),
                        (a, b) -> b));
        return machines.stream()
                .filter(machine -> machine.type().matches(STANDARD_FAMILIES))
                .mapToInt(machine -> each.getOrDefault(machine.type(), 0))
                .sum();
    }

    private static int usedVcpus(Aws.Clients clients) {
        return clients
                .ec2()
                .describeInstancesPaginator(request -> request.filters(Filter.builder()
                        .name("instance-state-name")
                        .values("pending", "running")
                        .build()))
                .reservations()
                .stream()
                .flatMap(reservation -> reservation.instances().stream())
                .filter(instance ->
                        instance.instanceTypeAsString().matches(STANDARD_FAMILIES) && instance.cpuOptions() != null)
                .mapToInt(instance -> instance.cpuOptions().coreCount()
                        * instance.cpuOptions().threadsPerCore())
                .sum();
    }

    private void compare(Kind kind, int needed, Function<Aws.Clients, Integer> count) {
        try {
            long quota = aws.plain(clients -> quota(clients, kind));
            int used = aws.plain(count);
            if (used + needed > quota) {
                problems.add("the run needs " + needed + " " + kind.longName + ", " + used
                        + " are in use, and the quota of the account in " + aws.region() + " is " + quota + " ("
                        + kind.code + "); " + kind.wayOut + " or ask AWS for more");
            }
            found.add(needed + " " + kind.name + " needed, " + used + " in use, quota " + quota);
        } catch (SdkException e) {
            found.add(needed + " " + kind.name + " needed; the quota could not be read (" + Aws.explain(e) + ")");
        }
    }

    /** One that the account never asked to change may be known as AWS's default only. */
    private static long quota(Aws.Clients clients, Kind kind) {
        try {
            return clients.quotas()
                    .getServiceQuota(
                            request -> request.serviceCode(kind.service).quotaCode(kind.code))
                    .quota()
                    .value()
                    .longValue();
        } catch (AwsServiceException e) {
            if (!Aws.code(e).equals("NoSuchResourceException")) {
                throw e;
            }
            return clients
                    .quotas()
                    .listAWSDefaultServiceQuotasPaginator(request -> request.serviceCode(kind.service))
                    .quotas()
                    .stream()
                    .filter(quota -> quota.quotaCode().equals(kind.code))
                    .findFirst()
                    .orElseThrow(() -> e)
                    .value()
                    .longValue();
        }
    }
}
