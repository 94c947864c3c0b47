/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DataFileTest {

    @TempDir
    private Path directory;

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("data.csv"), text);
    }

    @Test
    void readsQuotesLineBreaksAndEmptyValues() throws IOException {
        DataFile data =
                DataFile.read(file("\uFEFFid,name\r\n1,\"tea, \"\"green\"\"\"\r\n\r\n2,\"two\r\nlines\"\n,\n4,\"\""));

        assertThat(data.rows())
                .containsExactly(
                        List.of("1", "tea, \"green\""),
                        List.of("2", "two\r\nlines"),
                        List.of("", ""),
                        List.of("4", ""));
        assertThat(data.row(0)).isEqualTo(Map.of("id", "1", "name", "tea, \"green\""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "id| has no row below the names of its columns",
                "id,id;1,2| the first row must name the columns, each with another name",
                "my id;1| has 'my id'",
                "id;1;2,3| line 3: has 2 values but there are 1 columns",
                "id;'\"1'| line 2: a quoted value has no end"
            })
    void saysWhatIsWrongAndWhere(String text, String message) throws IOException {
        Path file = file(text.replace(';', '\n').replace("'", ""));
        assertThatThrownBy(() -> DataFile.read(file)).hasMessageContaining(message.strip());
    }

    /** Two load generators: none of them has a row of the other, and with unique rows no user that of another. */
    @Test
    void givesEachLoadGeneratorAndEachUserRowsOfItsOwn() throws IOException {
        DataFile data = DataFile.read(file("id\n0\n1\n2\n3\n4\n5\n6\n"));

        DataRows second = new DataRows(data, false, 1, 2, 9);
        assertThat(ids(second, 0, 0, 1, 2, 3)).containsExactly("1", "3", "5", "1");
        DataRows unique = new DataRows(data, true, 0, 2, 3);
        assertThat(ids(unique, 0, 0, 1, 2)).containsExactly("0", "6", "0");
        assertThat(ids(unique, 1, 0, 1)).containsExactly("2", "2");
        assertThat(ids(unique, 2, 0)).containsExactly("4");
        assertThatThrownBy(() -> new DataRows(data, true, 1, 2, 4))
                .hasMessageEndingWith(
                        "data.csv has 7 rows, of which this load generator has 3, but 4 users need one of their"
                                + " own each; give more rows, or fewer users");
    }

    private static List<String> ids(DataRows rows, int user, int... turns) {
        return IntStream.of(turns)
                .mapToObj(turn -> rows.row(user, turn).get("id"))
                .toList();
    }
}
