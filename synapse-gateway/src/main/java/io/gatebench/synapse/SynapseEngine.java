/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import org.apache.synapse.ServerConfigurationInformation;
import org.apache.synapse.ServerManager;
import org.apache.synapse.ServerState;
import org.apache.synapse.transport.nhttp.AccessHandler;

/** Apache Synapse in this JVM: one engine per process, because the engine keeps its state in static fields. */
final class SynapseEngine implements AutoCloseable {
    private final ServerManager server = new ServerManager();

    /**
     * Starts the engine from {@code home} and returns when it has been told to listen, which is not yet readiness.
     *
     * @throws GatewayException if the engine refuses its configuration
     */
    void start(SynapseHome home) {
        ServerConfigurationInformation information = new ServerConfigurationInformation();
        information.setAxis2RepoLocation(home.repository().toString());
        information.setAxis2Xml(home.axis2Xml().toString());
        information.setSynapseHome(home.directory().toString());
        information.setSynapseXMLLocation(home.configuration().toString());
        information.setResolveRoot(home.configuration().toString());
        information.setServerName("synapse-gateway");
        try {
            server.init(information, null);
            server.start();
            // Opens its file when it is first looked at; better now than at some request.
            AccessHandler.getAccessLog();
        } catch (RuntimeException e) {
            throw new GatewayException("the Synapse engine did not start: " + messages(e), e);
        }
    }

    // The engine's own message names the file, that of the cause the place in it.
    private static String messages(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String text =
                root == failure ? String.valueOf(root.getMessage()) : failure.getMessage() + ": " + root.getMessage();
        return text.replaceAll("\\s+", " ").strip();
    }

    /** Closes the listeners and stops the engine; does nothing when it is not running. */
    @Override
    public void close() {
        if (server.getServerState() != ServerState.UNDETERMINED) {
            server.shutdown();
        }
    }
}
