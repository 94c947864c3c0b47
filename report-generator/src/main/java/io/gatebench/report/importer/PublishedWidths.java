/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.importer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The widths that the predecessor's CSV can have: with one load generator 199 columns, with n of them 199 + 56 n.
 *
 * <p>Merged publications hold rows of several widths under one header. The layout of another width follows from the
 * header at hand, because the columns of a load server are those of the load client under another name.
 */
final class PublishedWidths {

    private static final String CLIENT = "JMeter Client";
    private static final String SERVER = "JMeter Server ";
    private static final int MAX_SERVERS = 16;

    private PublishedWidths() {}

    /** Returns whether a header is that of a wide published CSV. */
    static boolean isPublished(List<String> header) {
        return header.size() > 27
                && header.get(0).equals("Scenario Name")
                && header.contains("Sent (KB/sec)")
                && header.stream().anyMatch(name -> name.contains(CLIENT));
    }

    /** Returns the column names of a row of that width in a file with that header, if it is a published width. */
    static Optional<List<String>> layoutFor(List<String> header, int width) {
        if (!isPublished(header)) {
            return Optional.empty();
        }
        List<String> single =
                header.stream().filter(name -> !name.contains(SERVER)).toList();
        if (single.size() == width) {
            return Optional.of(single);
        }
        for (int servers = 2; servers <= MAX_SERVERS; servers++) {
            List<String> layout = withServers(single, servers);
            if (layout.size() == width) {
                return Optional.of(layout);
            }
        }
        return Optional.empty();
    }

    private static List<String> withServers(List<String> single, int servers) {
        List<String> gc = single.stream()
                .filter(name -> name.contains(CLIENT) && !name.startsWith(CLIENT + " - "))
                .toList();
        List<String> host =
                single.stream().filter(name -> name.startsWith(CLIENT + " - ")).toList();
        List<String> layout = new ArrayList<>();
        for (String name : single) {
            layout.add(name);
            if (!gc.isEmpty() && name.equals(gc.get(gc.size() - 1))) {
                copies(layout, gc, servers);
            }
        }
        copies(layout, host, servers);
        return List.copyOf(layout);
    }

    private static void copies(List<String> layout, List<String> names, int servers) {
        for (int server = 1; server <= servers; server++) {
            for (String name : names) {
                layout.add(name.replace(CLIENT, SERVER + server));
            }
        }
    }
}
