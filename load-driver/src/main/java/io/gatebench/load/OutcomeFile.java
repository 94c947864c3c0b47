/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

import io.gatebench.load.engine.LoadException;
import io.gatebench.load.jmeter.RemoteOutcome;

/** Reads and writes what one load generator measured, distributions included, so that it can be merged without loss. */
final class OutcomeFile {

    private static final int MAGIC = 0x47424c4f;
    private static final int VERSION = 3;

    private OutcomeFile() {}

    /** Writes the file whole or not at all. */
    static void write(RemoteOutcome measured, Path file) {
        Path beside = file.resolveSibling(file.getFileName() + ".part");
        try {
            try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(beside)))) {
                out.writeInt(MAGIC);
                out.writeInt(VERSION);
                measured.encode(out);
            }
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new LoadException("cannot write " + file + ": " + e, e);
        }
    }

    /**
     * Reads a file.
     *
     * @throws LoadException if it cannot be read or is none
     */
    static RemoteOutcome read(Path file) {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            if (in.readInt() != MAGIC) {
                throw new LoadException(file + " is no outcome of a load generator");
            }
            int version = in.readInt();
            if (version != VERSION) {
                throw new LoadException(file + " has version " + version + " but only version " + VERSION
                        + " is known; the load generators must be of one version");
            }
            return RemoteOutcome.decode(in);
        } catch (IOException e) {
            throw new LoadException("cannot read the outcome of a load generator " + file + ": " + e, e);
        }
    }
}
