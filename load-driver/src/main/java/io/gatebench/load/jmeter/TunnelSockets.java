/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.server.RMISocketFactory;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * The sockets of RMI between a controller and its load generators: TLS on the loopback address, with one key for both ends.
 *
 * <p>Stubs name the port that their object listens at on its own machine; here it is the end of a tunnel, which has another
 * number. JMeter's own sockets for TLS would name the path of a key store in each stub, and need a port per object.
 */
final class TunnelSockets extends RMISocketFactory {

    /** The address that stubs name. */
    static final String HOST = "127.0.0.1";

    private static final int WAITING = 50;

    private final SSLContext tls;
    private final Map<Integer, Integer> ways;
    private final int patienceMillis;

    /**
     * Has RMI of this JVM go through tunnels from now on.
     *
     * @param keyStore a PKCS #12 file with the key and certificate of both ends
     * @param ways ports of objects to the ports here that lead to them
     * @param patience how long an answer is waited for: a tunnel that was cut off says nothing
     * @throws IOException if the key cannot be read
     */
    static void use(Path keyStore, Map<Integer, Integer> ways, Duration patience) throws IOException {
        // RMI reads these when its first class is loaded.
        System.setProperty("java.rmi.server.hostname", HOST);
        System.setProperty("sun.rmi.transport.tcp.responseTimeout", String.valueOf(patience.toMillis()));
        System.setProperty("sun.rmi.transport.tcp.handshakeTimeout", String.valueOf(patience.toMillis()));
        RMISocketFactory.setSocketFactory(new TunnelSockets(keyStore, ways, (int) patience.toMillis()));
    }

    private TunnelSockets(Path keyStore, Map<Integer, Integer> ways, int patienceMillis) throws IOException {
        this.patienceMillis = patienceMillis;
        this.ways = Map.copyOf(ways);
        char[] password = TunnelKey.PASSWORD.toCharArray();
        try (InputStream in = Files.newInputStream(keyStore)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, password);
            KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            own.init(keys, password);
            // A key's own certificate is trusted by what reads the store as one of trusted certificates.
            TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trusted.init(keys);
            tls = SSLContext.getInstance("TLS");
            tls.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        } catch (GeneralSecurityException e) {
            throw new IOException("the key store " + keyStore + " cannot be used: " + e.getMessage(), e);
        }
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(loopback(), ways.getOrDefault(port, port));
        try {
            // RMI limits its own handshake, but not the one of TLS that comes before it.
            socket.setSoTimeout(patienceMillis);
            socket.startHandshake();
            socket.setSoTimeout(0);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
        SSLServerSocket socket =
                (SSLServerSocket) tls.getServerSocketFactory().createServerSocket(port, WAITING, loopback());
        socket.setNeedClientAuth(true);
        return socket;
    }

    private static InetAddress loopback() throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }
}
