/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.io.IOException;
import java.nio.file.Path;

/** One analysis by GCToolkit in a JVM of its own. */
public final class GcToolkit {
    private GcToolkit() {}

    /** Argument: the log. */
    public static void main(String[] arguments) throws IOException {
        ToolkitPauses pauses = ToolkitPauses.of(Path.of(arguments[0]));
        System.out.println("pauses " + pauses.count() + " seconds " + pauses.seconds());
    }
}
