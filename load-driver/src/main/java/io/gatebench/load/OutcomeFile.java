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

import io.gatebench.load.jmeter.EmbeddedLoad;
import io.gatebench.load.jmeter.RemoteOutcome;
import io.gatebench.load.stats.EncodedData;
import io.gatebench.model.LoadGeneratorHealth;

/**
 * What one load generator measured, with its distributions, so that it can be merged with others without loss.
 *
 * @param outcome what came out
 * @param health the load generator's own state
 */
record OutcomeFile(EmbeddedLoad.Outcome outcome, LoadGeneratorHealth health) {

    private static final int MAGIC = 0x47424c4f;
    private static final int VERSION = 1;

    /** Writes the file whole or not at all. */
    void write(Path file) {
        Path beside = file.resolveSibling(file.getFileName() + ".part");
        try {
            try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(beside)))) {
                encode(out);
            }
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new LoadException("cannot write " + file + ": " + e, e);
        }
    }

    private void encode(DataOutputStream out) throws IOException {
        out.writeInt(MAGIC);
        out.writeInt(VERSION);
        EncodedData.write(out, LoadJson.text(health));
        RemoteOutcome.encode(outcome, out);
    }

    /**
     * Reads a file.
     *
     * @throws LoadException if it cannot be read or is none
     */
    static OutcomeFile read(Path file) {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            if (in.readInt() != MAGIC) {
                throw new LoadException(file + " is no outcome of a load generator");
            }
            int version = in.readInt();
            if (version != VERSION) {
                throw new LoadException(file + " has version " + version + " but only version " + VERSION
                        + " is known; the load generators must be of one version");
            }
            LoadGeneratorHealth health = LoadJson.mapper().readValue(EncodedData.text(in), LoadGeneratorHealth.class);
            return new OutcomeFile(RemoteOutcome.decode(in), health);
        } catch (IOException e) {
            throw new LoadException("cannot read the outcome of a load generator " + file + ": " + e, e);
        }
    }
}
