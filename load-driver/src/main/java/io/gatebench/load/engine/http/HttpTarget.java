/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.http;

import java.net.URI;
import java.util.Locale;

/**
 * The server that requests go to.
 *
 * @param host host name or address; an IPv6 address without brackets
 * @param port port
 * @param tls whether the connection is encrypted
 */
public record HttpTarget(String host, int port, boolean tls) {

    /**
     * Returns the target of an address.
     *
     * @throws IllegalArgumentException if the address has no host or another scheme than http and https
     */
    public static HttpTarget of(URI uri) {
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        boolean tls = scheme.equals("https");
        if (!tls && !scheme.equals("http") || uri.getHost() == null) {
            throw new IllegalArgumentException("'" + uri + "' is no http or https address with a host");
        }
        String host = uri.getHost();
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        int port = uri.getPort() >= 0 ? uri.getPort() : tls ? 443 : 80;
        return new HttpTarget(host, port, tls);
    }

    /** Returns the value of the {@code Host} header: no default port, IPv6 addresses in brackets. */
    public String hostHeader() {
        String name = host.indexOf(':') >= 0 ? "[" + withoutZone() + "]" : host;
        return port == (tls ? 443 : 80) ? name : name + ":" + port;
    }

    private String withoutZone() {
        int zone = host.indexOf('%');
        return zone < 0 ? host : host.substring(0, zone);
    }
}
