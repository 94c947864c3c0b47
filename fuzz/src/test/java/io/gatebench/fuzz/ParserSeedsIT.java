/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each parser against all its seeds and a hundred broken copies of them, the same ones in every build. */
class ParserSeedsIT {

    private static final int COPIES = 100;

    @ParameterizedTest
    @EnumSource
    void readsOrRefuses(Parser parser) throws IOException {
        Corpus corpus = Corpus.of(parser.directory());
        for (byte[] seed : corpus.seeds()) {
            require(parser, seed);
        }
        Random random = new Random(20261122);
        for (int i = 0; i < COPIES; i++) {
            require(parser, corpus.broken(random));
        }
    }

    private static void require(Parser parser, byte[] input) throws IOException {
        try {
            parser.tryOne(input);
        } catch (RuntimeException | IOException | Error e) {
            Path kept = Path.of("target", "fuzz", parser.directory() + "-" + Integer.toHexString(e.hashCode()));
            Files.createDirectories(kept.getParent());
            Files.write(kept, input);
            throw new AssertionError(parser + " does not take the input " + kept + " as it should", e);
        }
    }
}
