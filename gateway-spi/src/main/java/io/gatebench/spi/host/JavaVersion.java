/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi.host;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the feature version out of what a {@code java} command says of itself. */
public final class JavaVersion {

    private static final Pattern NUMBER = Pattern.compile("(?:version \")?(\\d+)(?:\\.(\\d+))?");

    private JavaVersion() {}

    /** Returns the feature version of e.g. {@code 17.0.2}, {@code 1.8.0_392}, {@code 25-ea}; 0 if there is none. */
    public static int feature(String text) {
        String version = text.contains("version \"") ? text.substring(text.indexOf("version \"")) : text;
        Matcher matcher = NUMBER.matcher(version);
        if (!matcher.find()) {
            return 0;
        }
        int first = Integer.parseInt(matcher.group(1));
        return first == 1 && matcher.group(2) != null ? Integer.parseInt(matcher.group(2)) : first;
    }
}
