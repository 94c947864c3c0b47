/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * The image of a role as the build leaves it: a tar of an OCI layout, and its digest beside it.
 *
 * @param target where the images are
 * @param role whose it is
 * @param work an existing directory
 */
record RoleImage(Path target, String role, Path work) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Makes the image that the others are built on out of this machine's own programs; no registry is asked. */
    static Path base(Path sources, Path work) throws Exception {
        Path parts = Files.createDirectory(work.resolve("base"));
        Path layer = parts.resolve("layer.tar");
        run(
                "sh",
                sources.resolve("orchestrator-check/src/test/cluster/role-root.sh")
                        .toString(),
                layer.toString());
        String architecture = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
        Files.writeString(parts.resolve("config.json"), """
                {"architecture": "%s", "os": "linux",
                 "config": {"Env": ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]},
                 "rootfs": {"type": "layers", "diff_ids": ["sha256:%s"]}, "history": []}
                """.formatted(architecture, sum(Files.newInputStream(layer))));
        Files.writeString(
                parts.resolve("manifest.json"),
                "[{\"Config\": \"config.json\", \"RepoTags\": [\"localhost/base:1\"], \"Layers\": [\"layer.tar\"]}]");
        Path archive = work.resolve("base.tar");
        run("tar", "-C", parts.toString(), "-cf", archive.toString(), "manifest.json", "config.json", "layer.tar");
        return archive;
    }

    Path archive() {
        return target.resolve(role + ".tar");
    }

    /** Returns the digest that the build wrote beside the archive. */
    String digest() throws IOException {
        return Files.readString(target.resolve(role + ".digest")).strip();
    }

    /** Unpacks the layers after every digest was found to be that of the bytes; returns the root of the file system. */
    Path unpack() throws Exception {
        Path layout = Files.createDirectory(work.resolve("layout-of-" + role));
        run("tar", "-C", layout.toString(), "-xf", archive().toString());
        assertThat(JSON.readTree(layout.resolve("oci-layout").toFile())
                        .get("imageLayoutVersion")
                        .asText())
                .isEqualTo("1.0.0");
        try (Stream<Path> blobs = Files.list(layout.resolve("blobs/sha256"))) {
            for (Path blob : blobs.toList()) {
                assertThat(sum(Files.newInputStream(blob)))
                        .isEqualTo(blob.getFileName().toString());
            }
        }
        JsonNode manifests =
                JSON.readTree(layout.resolve("index.json").toFile()).get("manifests");
        assertThat(manifests).hasSize(1);
        assertThat(manifests.get(0).get("digest").asText()).isEqualTo(digest());
        JsonNode manifest = JSON.readTree(blob(layout, manifests.get(0)).toFile());
        JsonNode configuration =
                JSON.readTree(blob(layout, manifest.get("config")).toFile());
        assertThat(configuration.get("config").get("User").asText()).isEqualTo("10001:0");
        assertThat(configuration.get("config").get("Entrypoint").get(0).asText())
                .isEqualTo("java");
        assertThat(configuration.get("created").asText()).isEqualTo("1970-01-01T00:00:00Z");
        JsonNode sums = configuration.get("rootfs").get("diff_ids");
        assertThat(manifest.get("layers")).hasSize(sums.size());
        Path root = Files.createDirectory(work.resolve("root-of-" + role));
        for (int i = 0; i < sums.size(); i++) {
            Path layer = blob(layout, manifest.get("layers").get(i));
            assertThat("sha256:" + sum(new GZIPInputStream(Files.newInputStream(layer))))
                    .isEqualTo(sums.get(i).asText());
            run("tar", "-C", root.toString(), "--no-same-owner", "-xzf", layer.toString());
        }
        return root;
    }

    private static Path blob(Path layout, JsonNode of) throws IOException {
        Path blob = layout.resolve("blobs").resolve(of.get("digest").asText().replace(':', '/'));
        assertThat(Files.size(blob)).isEqualTo(of.get("size").asLong());
        return blob;
    }

    private static String sum(InputStream bytes) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        try (InputStream in = new DigestInputStream(bytes, digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static void run(String... command) throws Exception {
        Process process =
                new ProcessBuilder(List.of(command)).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).as(text).isZero();
    }
}
