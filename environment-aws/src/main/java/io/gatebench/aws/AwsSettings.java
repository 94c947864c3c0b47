/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Content of the settings file, with defaults filled in.
 *
 * @param region the region, that of the SDK's default chain if absent
 * @param profile the profile of the AWS configuration files
 * @param image {@code ami-...}, the name of an SSM parameter, or {@code owner:name pattern}
 * @param user the login of that image
 * @param gatewayType instance type of the gateway
 * @param backendType instance type of the back end
 * @param loadGeneratorType instance type of the load generators
 * @param loadGenerators how many of them
 * @param diskGib size of each root volume
 * @param device name of the root device of the image
 * @param packages packages that the machines install at their start
 * @param java absolute path of the {@code java} command of the image
 * @param installJava archive of a JDK here that is put on the machines
 * @param privateAddress whether SSH goes to the private addresses, as through a VPN
 * @param network the private network of the first stack, an IPv4 block of 24 bits
 * @param caller who may reach port 22, asked from checkip.amazonaws.com if absent
 * @param knownHosts host keys of the image, where it does not take those of this run
 * @param lease how long a machine goes on without a renewal
 * @param setup how long creating, installing and removing are expected to take
 * @param maxCost the most that a run may cost, in US dollars
 * @param maxTime the longest that anything may live
 * @param timer whether a schedule in AWS removes the stacks when the time is over
 * @param database the database, if there is one
 * @param tags further tags of all resources
 * @param prices a price list that goes before the built-in one
 * @param archive where results are put in S3, each run below its id
 */
record AwsSettings(
        Optional<String> region,
        Optional<String> profile,
        String image,
        String user,
        String gatewayType,
        String backendType,
        String loadGeneratorType,
        int loadGenerators,
        int diskGib,
        String device,
        List<String> packages,
        Optional<String> java,
        Optional<Path> installJava,
        boolean privateAddress,
        String network,
        Optional<String> caller,
        Optional<Path> knownHosts,
        Duration lease,
        Duration setup,
        Optional<Double> maxCost,
        Optional<Duration> maxTime,
        boolean timer,
        Optional<Database> database,
        Map<String, String> tags,
        Optional<Path> prices,
        Optional<ObjectPlace> archive) {

    private static final int MAX_OCTET = 255;

    /**
     * A MySQL of the product.
     *
     * @param type its class, e.g. {@code db.m5.large}
     * @param storageGib size of its storage
     * @param version version of its engine
     */
    record Database(String type, int storageGib, String version) {}

    /** Copies the collections. */
    AwsSettings {
        packages = List.copyOf(packages);
        tags = Map.copyOf(tags);
    }

    /**
     * Returns the settings of one of several stacks: each has a network of its own, so that all can be reached from one
     * place by private addresses.
     *
     * @param number which one, from 1
     * @throws IllegalArgumentException if there is no such network
     */
    AwsSettings forStack(int number) {
        String[] parts = network.split("[./]");
        int third = Integer.parseInt(parts[2]) + number - 1;
        if (third > MAX_OCTET) {
            throw new IllegalArgumentException(
                    "the network " + network + " leaves no room for stack " + number + ", whose network would be "
                            + parts[0] + "." + parts[1] + "." + third + ".0/24; choose a lower one");
        }
        return new AwsSettings(
                region,
                profile,
                image,
                user,
                gatewayType,
                backendType,
                loadGeneratorType,
                loadGenerators,
                diskGib,
                device,
                packages,
                java,
                installJava,
                privateAddress,
                parts[0] + "." + parts[1] + "." + third + ".0/24",
                caller,
                knownHosts,
                lease,
                setup,
                maxCost,
                maxTime,
                timer,
                database,
                tags,
                prices,
                archive);
    }
}
