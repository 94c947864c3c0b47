/* SPDX-License-Identifier: Apache-2.0 */

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.gatebench.load.SharedLoad;
import io.gatebench.load.engine.LoadRequest;

/** Prints the median time of merging what load generators measured, in milliseconds. */
class MergeTime {

    private static final int TURNS = 15;

    public static void main(String[] outcomes) throws Exception {
        List<Path> files = Stream.of(outcomes).map(Path::of).toList();
        LoadRequest request = LoadRequest.read(files.get(0).resolveSibling("request.json"));
        double[] millis = new double[TURNS];
        for (int i = 0; i < TURNS; i++) {
            Path directory = Files.createTempDirectory("merge");
            long before = System.nanoTime();
            SharedLoad.merge(request, files, directory);
            millis[i] = (System.nanoTime() - before) / 1e6;
            try (Stream<Path> written = Files.list(directory)) {
                for (Path file : written.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(directory);
        }
        Arrays.sort(millis);
        System.out.printf(java.util.Locale.ROOT, "%.1f%n", millis[TURNS / 2]);
    }
}
