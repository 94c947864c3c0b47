/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UsageErrorTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "gc --format xml a.log;--format must be table, json or csv but was 'xml'",
                "compare a b --fail-on some;--fail-on must be none, regression, undecided, invalid, doubtful or"
                        + " not-comparable but was 'some'",
                "compare a;'gatebench compare' needs at least 2 of <run>",
                "compare a b --max-errors many;--max-errors must be a number but was 'many'",
                "tokens --out f --count x;--count must be a whole number but was 'x'",
                "tokens --out f --algorithm none;--algorithm must be RS256, PS256, ES256 or HS256 but was 'none'",
                "tokens --out f --claim now;--claim must be <name>=<value> but was 'now'",
                "tokens;--out is missing: --out=<file>",
                "tokens --out;--out needs a value: --out=<file>",
                "report;<results> is missing: a results directory, a wide CSV or a published Markdown document.",
                "report a --out b --out c;--out is given twice; give it once",
                "run --quiet=yes;--quiet must be true or false but was 'yes'",
                "echo --delay soon;--delay: 'soon' is no delay",
                "version now;unexpected argument 'now'",
                "runn;unknown command 'runn'; did you mean 'run'?",
            })
    void saysWhatIsWrongInTheFormOfAllOtherMessages(String arguments, String message) {
        StringWriter err = new StringWriter();
        CommandLineProgram program = new CommandLineProgram();
        program.commandLine().setErr(new PrintWriter(err, true));

        assertThat(program.execute(arguments.split(" "))).isEqualTo(2);

        assertThat(err.toString().lines().findFirst().orElse("")).startsWith(message);
    }
}
