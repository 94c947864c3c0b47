/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.gatebench.model.FileDigest;
import io.gatebench.model.ShellWord;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.HostUnreachableException;

/**
 * Files on their way to and from an SSH host: a transfer that broke off goes on where it stopped, and what arrives is
 * checked.
 */
final class SshFiles {

    private static final Duration QUICK = Duration.ofSeconds(30);
    private static final Duration TRANSFER = Duration.ofMinutes(30);
    private static final String THERE = "there";

    private final SshHost host;
    private final HostConnection connection;
    private final String work;
    /** Files that lie on the host already, by their path there. Each test case asks for the same large jars. */
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    SshFiles(SshHost host, HostConnection connection, String work) {
        this.host = host;
        this.connection = connection;
        this.work = work;
    }

    /** A file here, as it is told from a later one of the same name. */
    private record Local(Path file, long size, FileTime modified) {

        static Local of(Path file) {
            try {
                return new Local(file, Files.size(file), Files.getLastModifiedTime(file));
            } catch (IOException e) {
                throw new HostException("cannot read " + file + ": " + HostException.reason(e), e);
            }
        }
    }

    /**
     * File that was found at a path there.
     *
     * @param local the file here that has the same content
     * @param stamp what tells the file there from another in its place
     */
    private record Known(Local local, String stamp) {}

    static String checksum(Path file) {
        try {
            return FileDigest.sha256(file);
        } catch (IOException e) {
            throw new HostException("cannot read " + file + ": " + HostException.reason(e), e);
        }
    }

    String upload(Path file, String path) {
        Local local = Local.of(file);
        Known earlier = known.get(path);
        if (earlier != null
                && earlier.local().equals(local)
                && host.verb(QUICK, "unchanged", path, earlier.stamp()).status() == 0) {
            return path;
        }
        String sum = checksum(file);
        boolean secret = path.contains("/secrets/");
        for (int attempt = 0; ; attempt++) {
            HostConnection.Exec answer = host.verb(TRANSFER, "receive", work, sum, path);
            String text = answer.text().trim();
            if (answer.status() == 0 && text.startsWith(THERE)) {
                known.put(path, new Known(local, text.substring(THERE.length()).trim()));
                return path;
            }
            if (answer.status() != 0 || !text.matches("\\d+")) {
                throw new HostException(host.name() + " cannot take " + file + ": "
                        + answer.errorOutput().trim());
            }
            send(file, sum, Long.parseLong(text));
            HostConnection.Exec received =
                    host.verb(TRANSFER, "received", work, sum, path, secret ? "secret" : "public");
            if (received.status() == 0) {
                known.put(
                        path,
                        new Known(
                                local,
                                received.text().trim().substring(THERE.length()).trim()));
                return path;
            }
            if (attempt == 2) {
                throw new HostException(host.name() + " did not take " + file + " unharmed in three attempts: "
                        + received.errorOutput().trim());
            }
        }
    }

    private void send(Path file, String sum, long offset) {
        HostConnection.Exec sent = host.patiently(() -> {
            // How much has arrived before the connection broke is asked anew.
            HostConnection.Exec answer = connection.exec(host.command("receive", work, sum, work + "/none"), TRANSFER);
            long from = answer.text().trim().matches("\\d+")
                    ? Long.parseLong(answer.text().trim())
                    : offset;
            try (FileChannel channel = FileChannel.open(file);
                    InputStream in = Channels.newInputStream(channel.position(Math.min(from, channel.size())))) {
                return connection.exec(
                        host.command("append", work, sum, String.valueOf(from)),
                        in,
                        channel.size() - channel.position(),
                        OutputStream.nullOutputStream(),
                        TRANSFER);
            } catch (IOException e) {
                throw new HostException("cannot read " + file + ": " + HostException.reason(e), e);
            }
        });
        if (sent.status() != 0) {
            throw new HostException(host.name() + " cannot store " + file.getFileName() + ": "
                    + sent.errorOutput().trim());
        }
    }

    void download(String directory, Path target) {
        HostConnection.Exec listed = host.verb(QUICK, "list", directory);
        for (String line : listed.text().lines().toList()) {
            String[] words = line.split(" ", 3);
            if (words.length < 3 || !words[2].startsWith("./")) {
                continue;
            }
            Path file = target.resolve(words[2].substring(2)).normalize();
            if (!file.startsWith(target.normalize())) {
                throw new HostException(host.name() + " has a file outside of " + directory + ": " + words[2]);
            }
            fetch(directory + "/" + words[2].substring(2), file, Long.parseLong(words[0]), Long.parseLong(words[1]));
        }
    }

    int downloadAndCompare(String directory, Path target) {
        download(directory, target);
        int files = 0;
        for (String line : host.verb(TRANSFER, "sums", directory).text().lines().toList()) {
            String[] words = line.split(" [ *]", 2);
            if (words.length < 2 || !words[1].startsWith("./")) {
                throw new HostException(host.name() + " names a file in a way that is not understood: " + line);
            }
            Path file = target.resolve(words[1].substring(2));
            if (!Files.isRegularFile(file) || !checksum(file).equals(words[0])) {
                throw new HostException(file + " is not what " + host.name() + " has; try again");
            }
            files++;
        }
        return files;
    }

    private void fetch(String path, Path file, long size, long modified) {
        try {
            FileTime time = FileTime.from(Instant.ofEpochSecond(modified));
            if (Files.isRegularFile(file)
                    && Files.size(file) == size
                    && Files.getLastModifiedTime(file).toInstant().getEpochSecond() == modified) {
                return;
            }
            Files.createDirectories(file.getParent());
            Path part = file.resolveSibling(file.getFileName() + ".part");
            Files.deleteIfExists(part);
            host.patiently(() -> append(path, part, size));
            Files.setLastModifiedTime(part, time);
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new HostException("cannot store " + file + " of " + host.name() + ": " + HostException.reason(e), e);
        }
    }

    /** Goes on where an earlier attempt broke off; logs only grow, so that the first part stays what it was. */
    private Void append(String path, Path part, long size) {
        try {
            long have = Files.exists(part) ? Files.size(part) : 0;
            if (have < size) {
                String script = "tail -c \"+$(($2 + 1))\" \"$1\" | head -c \"$3\"";
                String line = "exec /bin/sh -c " + ShellWord.quoted(script) + " sh " + ShellWord.quoted(path) + " "
                        + have + " " + (size - have);
                try (Stored out =
                        new Stored(Files.newOutputStream(part, StandardOpenOption.CREATE, StandardOpenOption.APPEND))) {
                    connection.exec(line, InputStream.nullInputStream(), 0, out, TRANSFER);
                    out.requireStored();
                }
            } else if (!Files.exists(part)) {
                Files.createFile(part);
            }
            if (Files.size(part) < size) {
                throw new HostUnreachableException(
                        "only " + Files.size(part) + " of " + size + " bytes of " + path + " came from " + host.name());
            }
            return null;
        } catch (IOException e) {
            throw new HostException("cannot store " + part + ": " + HostException.reason(e), e);
        }
    }

    /**
     * Stream whose failures are the fault of this machine's disk. Thrown inside the library it would pass for a lost
     * connection, and be tried again and again.
     */
    private static final class Stored extends OutputStream {

        private final OutputStream to;
        private volatile boolean failed;
        private volatile String reason = "";

        private Stored(OutputStream to) {
            this.to = to;
        }

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            if (failed) {
                return;
            }
            try {
                to.write(bytes, offset, length);
            } catch (IOException e) {
                reason = HostException.reason(e);
                failed = true;
            }
        }

        private void requireStored() throws IOException {
            if (failed) {
                throw new IOException(reason);
            }
        }

        @Override
        public void close() throws IOException {
            to.close();
        }
    }
}
