/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import org.apache.jmeter.engine.RemoteJMeterEngineImpl;
import org.apache.jmeter.util.JMeterUtils;

import io.gatebench.load.jmeter.JMeterStart;
import io.gatebench.load.jmeter.LoadSession;

/**
 * A remote load generator for {@link DistributedLoadDriver}.
 *
 * <p>{@code RemoteLoadGeneratorMain <port> <index>/<count>} serves tests until it is ended. {@code count} is the number of
 * load generators and {@code index} which of them this is, from 0: that decides its share of users and tokens. Start the
 * JVM with {@code -Djava.rmi.server.hostname=<address at which the controller reaches it>}. The connection is neither
 * encrypted nor authenticated: use it in a private network only.
 *
 * @since 0.1
 */
public final class RemoteLoadGeneratorMain {

    private RemoteLoadGeneratorMain() {}

    /** Runs the load generator. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length != 2 || !arguments[1].matches("\\d+/\\d+")) {
            try (PrintStream err =
                    new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8)) {
                err.println("usage: RemoteLoadGeneratorMain <port> <index>/<count>");
            }
            System.exit(2);
        }
        System.setProperty(LoadSession.SHARE_PROPERTY, arguments[1]);
        JMeterStart.prepare();
        JMeterUtils.setProperty("server.rmi.ssl.disable", "true");
        JMeterUtils.setProperty("server.exitaftertest", "false");
        // The controller's settings do not travel: without these a remote opens a connection per sample.
        JMeterUtils.setProperty("httpclient.reset_state_on_thread_group_iteration", "false");
        JMeterUtils.setProperty("httpclient4.time_to_live", "3600000");
        JMeterUtils.setProperty("httpclient4.retrycount", "0");
        RemoteJMeterEngineImpl.startServer(Integer.parseInt(arguments[0]));
    }
}
