/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

/** Entry point of the runnable jar: {@code java -jar synapse-gateway.jar --help} lists what it takes. */
public final class Main {
    private Main() {}

    /**
     * Runs the gateway until the process is told to stop.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        System.exit(GatewayCommand.execute(args));
    }
}
