/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ErrorsFileTest {

    @TempDir
    private Path directory;

    @Test
    void putsTheCommonestKindsOnTheirOwnAndTheOthersTogether() throws IOException {
        StringBuilder text = new StringBuilder("second,errors,kind\n");
        for (int kind = 1; kind <= 7; kind++) {
            text.append("0,")
                    .append(kind)
                    .append(",\"status \"\"50")
                    .append(kind)
                    .append("\"\", with a comma\"\n");
        }
        text.append("3,4,\"status \"\"507\"\", with a comma\"\n");

        List<List<Object>> timelines = ErrorsFile.read(Files.writeString(directory.resolve("errors.csv"), text))
                .timelines(List.of(0, 2), 2);

        assertThat(timelines).hasSize(6);
        assertThat(timelines.get(0)).containsExactly("status \"507\", with a comma", List.of(3.5, 2.0));
        assertThat(timelines.get(5)).containsExactly("other kinds", List.of(1.5, 0.0));
    }

    @Test
    void givesNothingForAFileThatIsMissingOrNoneOfItsKind() throws IOException {
        Path broken = Files.writeString(directory.resolve("errors.csv"), "second,errors,kind\nx,1,\"a\"\n");

        assertThat(ErrorsFile.read(broken).timelines(List.of(0), 1)).isEmpty();
        assertThat(ErrorsFile.read(directory.resolve("missing")).timelines(List.of(0), 1))
                .isEmpty();
    }
}
