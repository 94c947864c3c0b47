/* SPDX-License-Identifier: Apache-2.0 */
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** Makes a large log of a small one: the same collections again, with later uptimes and higher numbers. */
public final class GrowLog {
    private static final Pattern UPTIME = Pattern.compile("\\[(\\d+\\.\\d{3})s\\]");
    private static final Pattern NUMBER = Pattern.compile("GC\\((\\d+)\\)");

    private GrowLog() {}

    /** Arguments: packed source log, target, size in bytes. */
    public static void main(String[] arguments) throws IOException {
        List<String> lines = new ArrayList<>();
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(Path.of(arguments[0])))))) {
            in.lines().filter(line -> !line.contains(",exit")).forEach(lines::add);
        }
        long wanted = Long.parseLong(arguments[2]);
        long written = 0;
        double shift = 0;
        long numbers = 0;
        try (BufferedWriter out = Files.newBufferedWriter(Path.of(arguments[1]))) {
            for (int round = 0; written < wanted; round++) {
                double last = 0;
                long greatest = -1;
                for (String line : lines) {
                    Matcher uptime = UPTIME.matcher(line);
                    Matcher number = NUMBER.matcher(line);
                    if (!uptime.find() || round > 0 && !number.find(0)) {
                        if (round > 0) {
                            continue;
                        }
                    }
                    double time = Double.parseDouble(uptime.group(1));
                    last = Math.max(last, time);
                    String moved = line.substring(0, uptime.start())
                            + String.format(Locale.ROOT, "[%.3fs]", time + shift) + line.substring(uptime.end());
                    Matcher id = NUMBER.matcher(moved);
                    if (id.find()) {
                        long old = Long.parseLong(id.group(1));
                        greatest = Math.max(greatest, old);
                        moved = moved.substring(0, id.start(1)) + (old + numbers) + moved.substring(id.end(1));
                    }
                    out.write(moved);
                    out.write('\n');
                    written += moved.length() + 1;
                }
                shift += last;
                numbers += greatest + 1;
            }
        }
    }
}
