/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.kubernetes;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

import io.gatebench.model.DataSize;

/**
 * The pods of one role.
 *
 * @param image their image, which has a POSIX shell with coreutils or busybox
 * @param pods how many there are
 * @param cpus the processors that each requests and is limited to; neither if absent
 * @param memory the memory that each requests and is limited to; neither if absent
 * @param disk the most that each may write, of memory or of its node's disk
 * @param nodeSelector labels of the nodes on which they may run
 * @param java absolute path of the {@code java} command in the image; by default that of its path
 * @param installJava a {@code .tar.gz} of a JDK here that is unpacked in each pod
 */
record PodSettings(
        String image,
        int pods,
        Optional<BigDecimal> cpus,
        Optional<DataSize> memory,
        DataSize disk,
        Map<String, String> nodeSelector,
        Optional<String> java,
        Optional<Path> installJava) {

    /** Copies the map. */
    PodSettings {
        nodeSelector = Map.copyOf(nodeSelector);
    }

    /** Returns the same with so many pods. */
    PodSettings withPods(int number) {
        return new PodSettings(image, number, cpus, memory, disk, nodeSelector, java, installJava);
    }
}
