/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi.host;

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
 * A directory for keys and tokens of this process, which only its user can read.
 *
 * <p>Closing it removes it. If the process is killed before, the next one that makes such a directory does: it finds that
 * nobody holds the lock in it.
 */
public final class TemporaryDirectory implements AutoCloseable {

    private static final String LOCK = ".lock";

    private final Path path;
    private final FileChannel channel;

    private TemporaryDirectory(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /**
     * Makes a directory, and removes those of the same prefix whose processes are gone.
     *
     * @param prefix what its name begins with
     */
    public static TemporaryDirectory create(String prefix) throws IOException {
        // The process must not even open a lock of its own: closing any channel of a file gives up every lock on it.
        String own = prefix + ProcessHandle.current().pid() + "-";
        Path path = Files.createTempDirectory(own);
        removeAbandoned(path, prefix, own);
        Path unlocked = path.resolve("lock");
        FileChannel channel = FileChannel.open(unlocked, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        channel.lock();
        // It gets its name once it is locked, so that nobody finds it before.
        Files.move(unlocked, path.resolve(LOCK), StandardCopyOption.ATOMIC_MOVE);
        return new TemporaryDirectory(path, channel);
    }

    private static void removeAbandoned(Path fresh, String prefix, String own) throws IOException {
        UserPrincipal owner = Files.getOwner(fresh);
        try (DirectoryStream<Path> others = Files.newDirectoryStream(
                fresh.toAbsolutePath().getParent(),
                path -> path.getFileName().toString().startsWith(prefix)
                        && !path.getFileName().toString().startsWith(own)
                        && Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))) {
            for (Path other : others) {
                removeIfAbandoned(other, owner);
            }
        }
    }

    private static void removeIfAbandoned(Path directory, UserPrincipal owner) {
        try {
            if (!Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).equals(owner)) {
                return;
            }
            try (FileChannel channel =
                    FileChannel.open(directory.resolve(LOCK), StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
                if (channel.tryLock() != null) {
                    FileTrees.delete(directory);
                }
            }
        } catch (IOException e) {
            // It has no lock yet, or another process removes it at this moment.
        }
    }

    /** Returns where it is. */
    public Path path() {
        return path;
    }

    /** Removes it with everything in it. */
    @Override
    public void close() throws IOException {
        try (channel) {
            FileTrees.delete(path);
        }
    }
}
