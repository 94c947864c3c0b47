/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The shell script by which things are done on a host. */
final class HostScript {

    private HostScript() {}

    /** Returns the script; its first argument is what it is to do. */
    static String text() {
        try (InputStream in = HostScript.class.getResourceAsStream("host.sh")) {
            if (in == null) {
                throw new IllegalStateException("the program was packed without host.sh");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read host.sh of this program", e);
        }
    }
}
