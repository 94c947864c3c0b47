/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Host and the way in which it is reached over SSH. What is not said comes from the SSH configuration file, then from SSH's defaults.
 *
 * @param name the name by which messages and reports call the host
 * @param destination a host name, an address, or an alias of the SSH configuration file
 * @param user the login
 * @param port the port of the SSH server
 * @param keys files with private keys without pass-phrase; with at least one, no other key is tried
 * @param jump hosts to go through, as {@code ssh -J} takes them
 * @param roleAddress the address at which the other hosts reach roles on this one, if it is not that of SSH
 * @param workDirectory absolute path of a directory for everything that is put there; by default {@code .gatebench} in
 *     the home directory of the login
 * @param java absolute path of the {@code java} command; by default that of the login
 * @param installJava a {@code .tar.gz} of a JDK here that is unpacked in the work directory and used
 */
public record SshTarget(
        String name,
        String destination,
        Optional<String> user,
        OptionalInt port,
        List<Path> keys,
        Optional<String> jump,
        Optional<String> roleAddress,
        Optional<String> workDirectory,
        Optional<String> java,
        Optional<Path> installJava) {

    /** Copies the list. */
    public SshTarget {
        keys = List.copyOf(keys);
    }

    /** Returns a target about which nothing but its destination is known. */
    public static SshTarget of(String name, String destination) {
        return new SshTarget(
                name,
                destination,
                Optional.empty(),
                OptionalInt.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
