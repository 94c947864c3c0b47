/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model.cloud;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.gatebench.model.DatabaseServer;
import io.gatebench.model.NodeRole;

/**
 * One set of machines that run and are reached over SSH.
 *
 * @param name the name of the set
 * @param hosts the machines, each with one role
 * @param user the login
 * @param privateKey the file with the private key of the login
 * @param knownHosts the file with the machines' host keys; a machine with another key is not to be trusted
 * @param java absolute path of the {@code java} command there, if it is not that of the login
 * @param installJava an archive of a JDK here to put there, if one was asked for
 * @param facts what else was created
 * @param database the database server, if one was asked for
 */
public record ProvisionedHosts(
        String name,
        List<Machine> hosts,
        String user,
        Path privateKey,
        Path knownHosts,
        Optional<String> java,
        Optional<Path> installJava,
        Map<String, String> facts,
        Optional<DatabaseServer> database) {

    /** Copies the collections. */
    public ProvisionedHosts {
        hosts = List.copyOf(hosts);
        facts = Map.copyOf(facts);
    }

    /**
     * One machine.
     *
     * @param name the name by which messages and reports call it
     * @param role what it is there for
     * @param address where SSH reaches it
     * @param roleAddress where the other machines reach it
     * @param details rows for the published system information in their order, e.g. image and instance type
     */
    public record Machine(String name, NodeRole role, String address, String roleAddress, Map<String, String> details) {

        /** Copies the map. */
        public Machine {
            details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
        }
    }
}
