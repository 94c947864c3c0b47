/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.importer;

import java.io.IOException;
import java.nio.file.Path;

import io.gatebench.fuzz.InputFile;
import io.gatebench.runner.GatewayBenchmark;

/** Documents, archives and plans that become gateway files, which the product must then take. */
public final class ImportTarget {

    private ImportTarget() {}

    public static void fuzzerTestOneInput(byte[] bytes) throws IOException {
        Path file = InputFile.of(bytes, "import/source");
        for (Importer.Kind kind : Importer.Kind.values()) {
            Importer.Imported imported;
            try {
                imported = Importer.run(kind, file, file.resolveSibling("out"));
            } catch (ImportException e) {
                // It says what is wrong.
                continue;
            }
            GatewayBenchmark.http(imported.file())
                    .users(1)
                    .results(file.resolveSibling("results"))
                    .build();
        }
    }
}
