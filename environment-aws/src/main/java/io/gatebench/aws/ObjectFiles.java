/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import software.amazon.awssdk.core.sync.RequestBody;

import io.gatebench.model.cloud.CloudException;

/** Files on their way to and from S3; the SDK checks each by a checksum. */
final class ObjectFiles {

    private final Aws aws;

    ObjectFiles(Aws aws) {
        this.aws = aws;
    }

    /** Looks whether the bucket can be used, before anything is done for what is to go there. */
    void require(ObjectPlace place) {
        aws.call(
                "the bucket " + place.bucket() + " cannot be used",
                clients -> clients.objects().headBucket(request -> request.bucket(place.bucket())));
    }

    /** Puts all files of a directory below a place and returns their number. */
    int put(Path directory, ObjectPlace place) {
        List<Path> files;
        try (Stream<Path> all = Files.walk(directory)) {
            files = all.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("the directory " + directory + " cannot be read", e);
        }
        for (Path file : files) {
            ObjectPlace object =
                    place.below(directory.relativize(file).toString().replace('\\', '/'));
            aws.call(
                    file + " cannot be put to " + object,
                    clients -> clients.objects()
                            .putObject(
                                    request -> request.bucket(object.bucket()).key(object.key()),
                                    RequestBody.fromFile(file)));
        }
        return files.size();
    }

    /** Returns a copy of an object below a directory here, which is fetched unless that very content is there already. */
    Path get(ObjectPlace object, Path directory) {
        if (object.fileName().isEmpty()) {
            throw CloudException.usage(List.of(object + " names no object"));
        }
        String tag = aws.call(
                        object + " cannot be read",
                        clients -> clients.objects()
                                .headObject(request ->
                                        request.bucket(object.bucket()).key(object.key()))
                                .eTag())
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^0-9a-z-]", "");
        Path file = directory.resolve(tag).resolve(object.fileName());
        if (Files.isRegularFile(file)) {
            return file;
        }
        aws.listener().note("fetching " + object);
        try {
            Files.createDirectories(file.getParent());
            Path part = file.resolveSibling(file.getFileName() + ".part");
            Files.deleteIfExists(part);
            aws.call(
                    object + " cannot be fetched",
                    clients -> clients.objects()
                            .getObject(
                                    request -> request.bucket(object.bucket())
                                            .key(object.key())
                                            .ifMatch(tag.isEmpty() ? null : "\"" + tag + "\""),
                                    part));
            return Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot store " + object + " as " + file, e);
        }
    }
}
