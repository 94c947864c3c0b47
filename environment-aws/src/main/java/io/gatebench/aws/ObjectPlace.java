/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.gatebench.model.cloud.CloudException;

/**
 * An object in S3, or all whose names begin so.
 *
 * @param bucket the bucket
 * @param key the object's name or the beginning of names, without a slash at either end; empty for the whole bucket
 */
record ObjectPlace(String bucket, String key) {

    static final Pattern URI = Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/([A-Za-z0-9!_.*'()/-]*))?");

    /**
     * Reads {@code s3://bucket/name}.
     *
     * @throws CloudException if the text is no such place
     */
    static ObjectPlace of(String text) {
        Matcher matcher = URI.matcher(text);
        if (!matcher.matches()) {
            throw CloudException.usage(
                    List.of("a place in S3 is like s3://bucket/name, of letters, digits and !_.*'()/-, but was '" + text
                            + "'"));
        }
        String key = matcher.group(2) == null ? "" : matcher.group(2);
        return new ObjectPlace(matcher.group(1), key.replaceAll("^/+|/+$", ""));
    }

    /** Returns the place of a name below this one. */
    ObjectPlace below(String name) {
        return new ObjectPlace(bucket, key.isEmpty() ? name : key + "/" + name);
    }

    /** Returns the last part of the name. */
    String fileName() {
        return key.substring(key.lastIndexOf('/') + 1);
    }

    @Override
    public String toString() {
        return "s3://" + bucket + (key.isEmpty() ? "" : "/" + key);
    }
}
