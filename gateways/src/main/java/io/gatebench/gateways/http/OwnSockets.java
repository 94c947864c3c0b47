/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.http;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The sockets of this JVM, as the kernel lists them; where there is no {@code /proc}, none. */
final class OwnSockets {

    private static final Path SELF = Path.of("/proc/self");
    private static final String LISTENS = "0A";
    private static final int LOCAL = 1;
    private static final int STATE = 3;
    private static final int INODE = 9;

    private OwnSockets() {}

    /** Returns whether this JVM listens at a TCP port. */
    static boolean listenAt(int port) {
        String hex = String.format(Locale.ROOT, ":%04X", port);
        Set<String> sockets = new HashSet<>();
        for (String table : List.of("tcp", "tcp6")) {
            try {
                for (String line : Files.readAllLines(SELF.resolve("net").resolve(table))) {
                    String[] words = line.strip().split("\\s+");
                    if (words.length > INODE && words[LOCAL].endsWith(hex) && words[STATE].equals(LISTENS)) {
                        sockets.add("socket:[" + words[INODE] + "]");
                    }
                }
            } catch (IOException e) {
                // A kernel without this protocol, or without /proc.
            }
        }
        return !sockets.isEmpty() && isOpenHere(sockets);
    }

    private static boolean isOpenHere(Set<String> sockets) {
        try (DirectoryStream<Path> open = Files.newDirectoryStream(SELF.resolve("fd"))) {
            for (Path descriptor : open) {
                try {
                    if (sockets.contains(Files.readSymbolicLink(descriptor).toString())) {
                        return true;
                    }
                } catch (IOException e) {
                    // It was closed meanwhile.
                }
            }
        } catch (IOException e) {
            return false;
        }
        return false;
    }
}
