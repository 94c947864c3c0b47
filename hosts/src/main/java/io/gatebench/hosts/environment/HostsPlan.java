/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.environment;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.gatebench.hosts.SshSettings;
import io.gatebench.hosts.SshTarget;
import io.gatebench.model.NodeRole;
import io.gatebench.spi.Distribution;

/**
 * Content of a hosts file.
 *
 * @param hosts the hosts by name, in the order of the file
 * @param roles names of the hosts of each role
 * @param settings what holds for the connections to all of them
 * @param distribution how the load generators come to their shares of a load
 */
public record HostsPlan(
        Map<String, SshTarget> hosts,
        Map<NodeRole, List<String>> roles,
        SshSettings settings,
        Distribution distribution) {

    /** Creates a plan whose load generators are given their shares as files. */
    public HostsPlan(Map<String, SshTarget> hosts, Map<NodeRole, List<String>> roles, SshSettings settings) {
        this(hosts, roles, settings, Distribution.PROCESSES);
    }

    /** Copies the maps and keeps their order. */
    public HostsPlan {
        hosts = Collections.unmodifiableMap(new LinkedHashMap<>(hosts));
        roles = Map.copyOf(roles);
    }
}
