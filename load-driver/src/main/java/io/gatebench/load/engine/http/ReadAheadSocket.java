/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.http;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;

import org.jspecify.annotations.Nullable;

/**
 * A socket below TLS. The JDK reads the head of each record by itself, which would be a system call of its own.
 */
final class ReadAheadSocket extends Socket {

    private @Nullable InputStream ahead;

    @Override
    public InputStream getInputStream() throws IOException {
        InputStream known = ahead;
        if (known == null) {
            known = new BufferedInputStream(super.getInputStream());
            ahead = known;
        }
        return known;
    }
}
