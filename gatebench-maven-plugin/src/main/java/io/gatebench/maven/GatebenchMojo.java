/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

import io.gatebench.report.results.ReportException;
import io.gatebench.report.results.ResultsDirectory;
import io.gatebench.settings.PlanException;
import io.gatebench.spi.EnvironmentException;

/** Parts that all goals have in common: when they are skipped, where runs lie, and how a build is told that it cannot go on. */
abstract class GatebenchMojo extends AbstractMojo {

    private static final String RUN = "run-";

    /**
     * True to do nothing. Unless it is set, nothing is done where <code>skipTests</code> or <code>maven.test.skip</code>
     * are.
     */
    @Parameter(property = "gatebench.skip")
    private @Nullable Boolean skip;

    @Parameter(property = "skipTests", readonly = true, defaultValue = "false")
    private boolean skipTests;

    @Parameter(property = "maven.test.skip", readonly = true, defaultValue = "false")
    private boolean skipTestsAltogether;

    /** Directory in which each run has a directory of its own, <code>run-1</code> and so on. */
    @Parameter(property = "gatebench.results", defaultValue = "${project.build.directory}/gatebench")
    private File results;

    @Override
    public final void execute() throws MojoExecutionException, MojoFailureException {
        if (skip == null ? skipTests || skipTestsAltogether : skip) {
            getLog().info("Skipped" + (skip == null ? ", as tests are" : ""));
            return;
        }
        try {
            work();
        } catch (PlanException e) {
            // Without the cause, of which Maven would print each problem again.
            throw new MojoExecutionException(String.join("; ", e.problems()));
        } catch (EnvironmentException | ReportException | IllegalArgumentException | IllegalStateException e) {
            throw new MojoExecutionException(String.valueOf(e.getMessage()), e);
        }
    }

    abstract void work() throws MojoFailureException;

    Path results() {
        return results.toPath();
    }

    /** Returns the run that was asked for, or the last one. */
    Path run(@Nullable File given) {
        if (given != null) {
            return given.toPath();
        }
        return last().orElseThrow(() -> new IllegalArgumentException("there is no run in " + results
                + "; bind the goal run before this one, or name a run with -Dgatebench.run=<directory>"));
    }

    private Optional<Path> last() {
        if (!results.isDirectory()) {
            return Optional.empty();
        }
        try (Stream<Path> runs = Files.list(results.toPath())) {
            return runs.filter(run -> run.getFileName().toString().matches(RUN + "\\d{1,9}"))
                    .filter(ResultsDirectory::isResultsDirectory)
                    .max(Comparator.comparingInt(
                            run -> Integer.parseInt(run.getFileName().toString().substring(RUN.length()))));
        } catch (IOException e) {
            throw new ReportException("cannot list " + results + ": " + e, e);
        }
    }
}
