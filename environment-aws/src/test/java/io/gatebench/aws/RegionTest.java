/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.model.cloud.CloudException;

/** A machine that knows no region of AWS. */
class RegionTest {

    private final Map<String, Optional<String>> before = new HashMap<>();

    @TempDir
    private Path directory;

    @BeforeEach
    void forget() {
        assumeTrue(System.getenv("AWS_REGION") == null, "AWS_REGION is set");
        set("aws.region", Optional.empty());
        set("aws.disableEc2Metadata", Optional.of("true"));
        set("aws.configFile", Optional.of(directory.resolve("config").toString()));
        set(
                "aws.sharedCredentialsFile",
                Optional.of(directory.resolve("credentials").toString()));
    }

    private void set(String property, Optional<String> value) {
        before.put(property, Optional.ofNullable(System.getProperty(property)));
        put(property, value);
    }

    private static void put(String property, Optional<String> value) {
        value.ifPresentOrElse(text -> System.setProperty(property, text), () -> System.clearProperty(property));
    }

    @AfterEach
    void remember() {
        before.forEach(RegionTest::put);
    }

    @Test
    void isWrongUsageAndOneLineThatNamesTheWays() {
        CloudException refused = catchThrowableOfType(CloudException.class, () -> Aws.defaultRegion(Optional.empty()));

        assertThat(refused.isUsage()).isTrue();
        assertThat(refused.getMessage()).contains("AWS_REGION", "--region").hasLineCount(1);
    }
}
