/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import com.fasterxml.jackson.core.JsonProcessingException;

import io.gatebench.model.LoadResult;

/**
 * Reads and writes the result of a load generator, {@code load.json}.
 *
 * @since 0.1
 */
public final class LoadRunFile {

    private LoadRunFile() {}

    /**
     * Reads a result.
     *
     * @throws LoadException if the file cannot be read or is no such result
     */
    public static LoadResult read(Path file) {
        try {
            return LoadJson.MAPPER.readValue(Files.readString(file), LoadResult.class);
        } catch (JsonProcessingException e) {
            throw new LoadException(file + " is no result of a load generator: " + LoadJson.describe(e), e);
        } catch (IOException e) {
            throw new LoadException("cannot read the result of the load generator " + file + ": " + e, e);
        }
    }

    /**
     * Writes a result; a reader sees the old file or the whole new one.
     *
     * @throws LoadException if the file cannot be written
     */
    public static void write(Path file, LoadResult run) {
        LoadJson.writeAtomically(file, run);
    }
}
