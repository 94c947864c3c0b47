/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.apache.sshd.client.config.hosts.KnownHostEntry;
import org.apache.sshd.client.keyverifier.KnownHostsServerKeyVerifier;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.NamedFactory;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.signature.Signature;
import org.jspecify.annotations.Nullable;

/** Checks host keys against a file of known ones and remembers in words why one was refused. */
final class HostKeys extends KnownHostsServerKeyVerifier {

    private final String host;
    private final Path file;
    private volatile @Nullable String refusal;

    HostKeys(String host, Path file, boolean acceptNew) {
        super((session, address, key) -> acceptNew, file);
        this.host = host;
        this.file = file;
    }

    /** Returns why the last key was refused, or null if none was. */
    @Nullable
    String refusal() {
        return refusal;
    }

    @Override
    protected boolean acceptUnknownHostKey(ClientSession session, SocketAddress address, PublicKey key) {
        boolean accepted = super.acceptUnknownHostKey(session, address, key);
        if (!accepted) {
            refusal = "the host key of " + host + " (" + describe(key) + ") is not in " + file
                    + "; compare it with the host's own and add it, or accept it once with --accept-new-host-keys";
        }
        return accepted;
    }

    /**
     * Adds a line by one write at the end of the file: several hosts are reached at once, and each has a verifier of its
     * own, which in the library would take a file that another one makes at this moment for its own.
     */
    @Override
    protected KnownHostEntry updateKnownHostsFile(
            ClientSession session, SocketAddress address, PublicKey key, Path known, Collection<HostEntryPair> hosts)
            throws Exception {
        KnownHostEntry entry = prepareKnownHostEntry(session, address, key);
        // Whether the last line has an end is not known; empty lines are not read.
        Files.writeString(
                known, "\n" + entry.getConfigLine() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        return entry;
    }

    @Override
    public boolean acceptModifiedServerKey(
            ClientSession session, SocketAddress address, KnownHostEntry entry, PublicKey expected, PublicKey actual) {
        refusal = "the host key of " + host + " has CHANGED: " + file + " has " + describe(expected)
                + ", the host presents " + describe(actual)
                + "; it may not be the host that you mean. If it was really set up anew, remove the old key from the"
                + " file";
        return false;
    }

    @Override
    protected void handleRevokedKey(ClientSession session, SocketAddress address, PublicKey key) {
        refusal = "the host key of " + host + " (" + describe(key) + ") is REVOKED in " + file
                + "; whoever holds it may pose as the host. Give the host a new key and add that to the file";
    }

    private static String describe(PublicKey key) {
        return KeyUtils.getKeyType(key) + " " + KeyUtils.getFingerPrint(key);
    }

    /**
     * Returns signatures in the order in which they should be offered: first those of the key types that are known of
     * these hosts. A server with several keys would otherwise show one that the file does not hold.
     */
    static List<NamedFactory<Signature>> order(
            List<NamedFactory<Signature>> all, Path file, List<String> hosts, int port) {
        Set<String> known = new LinkedHashSet<>();
        if (Files.isReadable(file)) {
            try {
                for (KnownHostEntry entry : KnownHostEntry.readKnownHostEntries(file)) {
                    if (hosts.stream().anyMatch(h -> entry.isHostMatch(h, port))) {
                        known.add(entry.getKeyEntry().getKeyType());
                    }
                }
            } catch (IOException | RuntimeException e) {
                // A line that cannot be read makes the check fail later, where the message can say so.
                return all;
            }
        }
        List<NamedFactory<Signature>> ordered = new ArrayList<>(
                all.stream().filter(f -> known.contains(keyType(f.getName()))).toList());
        all.stream().filter(f -> !ordered.contains(f)).forEach(ordered::add);
        return ordered;
    }

    private static String keyType(String signature) {
        return signature.startsWith("rsa-sha2-") ? "ssh-rsa" : signature;
    }
}
