/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;

/**
 * A home in the directory for temporary files, with the key of its certificate in it.
 *
 * <p>What a process that was killed has left, the next one removes: nobody holds its lock then.
 */
final class TemporaryHome {
    private static final String PREFIX = "synapse-gateway-";
    private static final String LOCK = ".lock";

    private final SynapseHome home;
    /** Kept for its lock, which ends with it. */
    private final FileChannel channel;

    private TemporaryHome(SynapseHome home, FileChannel channel) {
        this.home = home;
        this.channel = channel;
    }

    static TemporaryHome create() throws IOException {
        Path path = Files.createTempDirectory(PREFIX).toAbsolutePath().normalize();
        removeAbandoned(path);
        SynapseHome home = new SynapseHome(path);
        home.claim();
        Path unlocked = path.resolve("lock");
        FileChannel channel = FileChannel.open(unlocked, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        channel.lock();
        // It gets its name once it is locked, so that nobody finds it before.
        Files.move(unlocked, path.resolve(LOCK), StandardCopyOption.ATOMIC_MOVE);
        return new TemporaryHome(home, channel);
    }

    private static void removeAbandoned(Path fresh) throws IOException {
        UserPrincipal owner = Files.getOwner(fresh);
        try (DirectoryStream<Path> others = Files.newDirectoryStream(
                fresh.getParent(),
                path -> path.getFileName().toString().startsWith(PREFIX)
                        && Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
                        && Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).equals(owner))) {
            for (Path other : others) {
                removeIfAbandoned(other);
            }
        }
    }

    private static void removeIfAbandoned(Path directory) {
        try (FileChannel channel =
                FileChannel.open(directory.resolve(LOCK), StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            if (channel.tryLock() != null) {
                new SynapseHome(directory).delete();
            }
        } catch (IOException e) {
            // It has no lock yet, or another process removes it at this moment.
        }
    }

    SynapseHome home() {
        return home;
    }

    /** Removes it, at the end of the process alone, with which the lock ends. */
    void delete() {
        home.delete();
    }
}
