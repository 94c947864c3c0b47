/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import io.gatebench.load.engine.payload.Payloads;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.PayloadKind;

/**
 * Rule by which payloads are made beyond the scenario's kind and size.
 *
 * @param wso2Sizes whether SOAP payloads have the predecessor's sizes instead of the exact ones
 * @param file a file whose bytes are the payload, instead of a generated one
 * @param variants number of different payloads of the same size that users send in turn, at least 1
 * @since 0.1
 */
public record PayloadOptions(boolean wso2Sizes, Optional<Path> file, int variants) {

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if {@code variants} is less than 1, or more than 1 with a file
     */
    public PayloadOptions {
        if (variants < 1) {
            throw new IllegalArgumentException("payload variants must be at least 1 but were " + variants);
        }
        if (variants > 1 && file.isPresent()) {
            throw new IllegalArgumentException(
                    "a payload file has no variants; drop --payload-variants or the file " + file.get());
        }
    }

    /** Returns one generated payload of the exact size. */
    public static PayloadOptions defaults() {
        return new PayloadOptions(false, Optional.empty(), 1);
    }

    /**
     * Returns the payloads that users send in turn, at least one.
     *
     * @throws LoadException if the file cannot be read
     */
    public List<byte[]> payloads(PayloadKind kind, MessageLevel message) {
        if (file.isEmpty()) {
            return Payloads.variants(kind, message, variants, wso2Sizes);
        }
        try {
            return List.of(Files.readAllBytes(file.get()));
        } catch (IOException e) {
            throw new LoadException("cannot read the payload " + file.get() + ": " + e, e);
        }
    }
}
