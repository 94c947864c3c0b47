/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.detached;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.jspecify.annotations.Nullable;

import io.gatebench.model.DatabaseServer;
import io.gatebench.model.cloud.CloudDeployment;
import io.gatebench.model.cloud.CloudException;
import io.gatebench.model.cloud.CloudOffer;
import io.gatebench.model.cloud.ProvisionedHosts;

/**
 * Machines that another process has created, as a file describes them that it left on one of them.
 *
 * <p>Nothing is asked of the cloud: leases are renewed over SSH, and after the run the machines end themselves.
 */
public final class DetachedMachines implements CloudOffer {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Description description;
    private final Path directory;

    private DetachedMachines(Description description, Path directory) {
        this.description = description;
        this.directory = directory;
    }

    /**
     * The file.
     *
     * @param run identifier of the run
     * @param end when everything is removed at the latest
     * @param leaseSeconds how long a machine goes on without a renewal
     * @param leaseCommand what renews it, but for the minutes
     * @param notes what a reader of the figures must know
     * @param orchestrator the machine that the file is on
     * @param stack the name of the set of machines
     * @param machines the machines, by the addresses at which they reach each other
     * @param user the login
     * @param privateKey file of its key, beside this one
     * @param knownHosts file of the host keys, beside this one
     * @param java the {@code java} command of the machines, if it is not that of the login
     * @param installJava archive of a JDK beside this file, if one is put on the machines
     * @param facts what else was created
     * @param database the database server, its password by the name of a file beside this one
     * @param archive where the results are put after the run, if they are
     */
    private record Description(
            String run,
            String end,
            long leaseSeconds,
            List<String> leaseCommand,
            List<String> notes,
            String orchestrator,
            String stack,
            List<ProvisionedHosts.Machine> machines,
            String user,
            String privateKey,
            String knownHosts,
            @Nullable String java,
            @Nullable String installJava,
            Map<String, String> facts,
            @Nullable Server database,
            @Nullable String archive) {}

    /** A database server whose password is in a file beside the description. */
    private record Server(String address, int port, String user, String description, String password) {}

    /** Returns the text of the file for one of the machines, beside which the files of these names lie. */
    static String describe(
            CloudDeployment deployment,
            ProvisionedHosts stack,
            String orchestrator,
            String privateKey,
            String knownHosts,
            Optional<String> installJava,
            String databasePassword) {
        Description description = new Description(
                deployment.run(),
                deployment.end().toString(),
                deployment.lease().toSeconds(),
                deployment.leaseCommand(),
                deployment.notes(),
                orchestrator,
                stack.name(),
                stack.hosts().stream()
                        .map(machine -> new ProvisionedHosts.Machine(
                                machine.name(),
                                machine.role(),
                                machine.roleAddress(),
                                machine.roleAddress(),
                                machine.details()))
                        .toList(),
                stack.user(),
                privateKey,
                knownHosts,
                stack.java().orElse(null),
                installJava.orElse(null),
                stack.facts(),
                stack.database()
                        .map(server -> new Server(
                                server.address(), server.port(), server.user(), server.description(), databasePassword))
                        .orElse(null),
                deployment.archive().orElse(null));
        try {
            return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(description) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a description is plain lists and texts", e);
        }
    }

    /**
     * Reads the file.
     *
     * @throws CloudException if it cannot be read or is no such file
     */
    public static DetachedMachines read(Path file) {
        try {
            Description description = JSON.readValue(Files.readString(file), Description.class);
            return new DetachedMachines(
                    description, file.toAbsolutePath().normalize().getParent());
        } catch (JsonProcessingException e) {
            throw CloudException.usage(List.of(
                    file + " is no description of machines that --detach has written: " + e.getOriginalMessage()));
        } catch (IOException e) {
            throw CloudException.usage(
                    List.of("the description of the machines cannot be read from " + file + ": " + e));
        }
    }

    @Override
    public List<String> lines() {
        return List.of();
    }

    @Override
    public double usdPerHour() {
        return 0;
    }

    @Override
    public CloudDeployment create() {
        return new Left(
                description,
                new ProvisionedHosts(
                        description.stack(),
                        description.machines(),
                        description.user(),
                        directory.resolve(description.privateKey()),
                        directory.resolve(description.knownHosts()),
                        Optional.ofNullable(description.java()),
                        Optional.ofNullable(description.installJava()).map(directory::resolve),
                        description.facts(),
                        Optional.ofNullable(description.database())
                                .map(server -> new DatabaseServer(
                                        server.address(),
                                        server.port(),
                                        server.user(),
                                        server.description(),
                                        directory.resolve(server.password())))));
    }

    /** The machines, whose removal is for others. */
    private record Left(Description description, ProvisionedHosts stack) implements CloudDeployment {

        @Override
        public String run() {
            return description.run();
        }

        @Override
        public List<ProvisionedHosts> stacks() {
            return List.of(stack);
        }

        @Override
        public Instant end() {
            return Instant.parse(description.end());
        }

        @Override
        public Duration lease() {
            return Duration.ofSeconds(description.leaseSeconds());
        }

        @Override
        public List<String> leaseCommand() {
            return description.leaseCommand();
        }

        @Override
        public List<String> notes() {
            List<String> notes = new ArrayList<>(description.notes());
            notes.add("The program itself ran on " + description.orchestrator() + ", beside the load generator.");
            return notes;
        }

        @Override
        public Optional<String> orchestrator() {
            return Optional.of(description.orchestrator());
        }

        @Override
        public Optional<String> archive() {
            return Optional.ofNullable(description.archive());
        }

        @Override
        public void keep() {
            throw new IllegalStateException("who detaches says how long the results are kept");
        }

        @Override
        public void detach() {
            throw new IllegalStateException("this run is detached already");
        }

        @Override
        public void close() {
            // The machines end themselves, and the cloud's own timer removes the rest.
        }
    }
}
