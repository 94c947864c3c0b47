/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.container;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.gatebench.model.DataSize;
import io.gatebench.model.TestCase;

/**
 * Description of a container: what it is made of and what it may use.
 *
 * @param engine name or path of the command line; without it the first that works of those on the PATH
 * @param engineArguments arguments of the engine itself, before the verb
 * @param runArguments further arguments of {@code run}
 * @param image the name of an image that the engine has or can get; empty with an archive
 * @param archive a tar file: an image as {@code save} writes it, or a root file system
 * @param mounts in the engine's own form, e.g. {@code /usr:/usr:ro}
 * @param publish the port inside that is reached at the gateway's port; without it the network is that of the host
 * @param cpus how many processors it may use, e.g. 0.5
 * @param memory how much memory it may use
 */
public record ContainerSpec(
        Optional<String> engine,
        List<String> engineArguments,
        List<String> runArguments,
        Optional<String> image,
        Optional<Path> archive,
        List<String> mounts,
        OptionalInt publish,
        OptionalDouble cpus,
        Optional<DataSize> memory) {

    /** Copies the lists. */
    public ContainerSpec {
        engineArguments = List.copyOf(engineArguments);
        runArguments = List.copyOf(runArguments);
        mounts = List.copyOf(mounts);
    }

    /** Returns it with the limits that the plan names, and its own where it names none. */
    public ContainerSpec limited(TestCase testCase) {
        OptionalDouble planned = testCase.gatewayCpus().number();
        return new ContainerSpec(
                engine,
                engineArguments,
                runArguments,
                image,
                archive,
                mounts,
                publish,
                planned.isPresent() ? planned : cpus,
                testCase.gatewayMemory().or(() -> memory));
    }

    /** Returns it with more mounts, and without the entry point of the image. */
    public ContainerSpec seeing(List<String> more) {
        return new ContainerSpec(
                engine,
                engineArguments,
                Stream.concat(Stream.of("--entrypoint", ""), runArguments.stream())
                        .toList(),
                image,
                archive,
                Stream.concat(mounts.stream(), more.stream()).toList(),
                publish,
                cpus,
                memory);
    }

    /** Returns it with what a function makes of the arguments of {@code run} and the mounts. */
    public ContainerSpec with(UnaryOperator<String> words) {
        return new ContainerSpec(
                engine,
                engineArguments,
                runArguments.stream().map(words).toList(),
                image,
                archive,
                mounts.stream().map(words).toList(),
                publish,
                cpus,
                memory);
    }
}
