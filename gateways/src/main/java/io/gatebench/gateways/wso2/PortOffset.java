/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.util.List;
import java.util.OptionalInt;

import io.gatebench.spi.RunListener;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.role.RoleStartException;

/** Chooses how far all ports of a product are moved at once, which is the one way in which they can be moved. */
final class PortOffset {

    private static final int MOST = 2000;
    private static final int STEP = 10;

    private PortOffset() {}

    /**
     * Returns the smallest offset at which all ports are free.
     *
     * @param ports the ports that the product opens with no offset
     * @param demanded the port that the user wants in place of the first of them
     * @throws RoleStartException if the demanded port cannot be had
     */
    static int choose(Host host, String what, List<Integer> ports, OptionalInt demanded, RunListener listener) {
        if (demanded.isPresent()) {
            int offset = demanded.getAsInt() - ports.get(0);
            if (offset < 0 || ports.stream().anyMatch(port -> port + offset > 65535)) {
                throw new RoleStartException("--gateway-port " + demanded.getAsInt() + " cannot be had: " + what
                        + " moves all its ports upwards together, from " + ports.get(0) + " on");
            }
            requireFree(host, what, ports, offset);
            return offset;
        }
        for (int offset = 0; offset <= MOST; offset += STEP) {
            int moved = offset;
            if (ports.stream().allMatch(port -> host.isPortFree(port + moved))) {
                if (offset > 0) {
                    listener.note("a port of " + what + " is taken on " + host.name() + "; all are moved by " + offset
                            + ", " + ports.get(0) + " to " + (ports.get(0) + offset));
                }
                return offset;
            }
        }
        throw new RoleStartException(
                "no offset up to " + MOST + " leaves all ports of " + what + " free on " + host.name());
    }

    private static void requireFree(Host host, String what, List<Integer> ports, int offset) {
        List<Integer> taken = ports.stream()
                .map(port -> port + offset)
                .filter(port -> !host.isPortFree(port))
                .toList();
        if (!taken.isEmpty()) {
            throw new RoleStartException(
                    "ports " + taken + " of " + host.name() + " are taken, which " + what + " would open");
        }
    }
}
