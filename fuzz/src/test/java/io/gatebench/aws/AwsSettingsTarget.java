/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import io.gatebench.fuzz.InputFile;
import io.gatebench.model.cloud.CloudException;

/** Settings of machines in AWS. */
public final class AwsSettingsTarget {

    private AwsSettingsTarget() {}

    public static void fuzzerTestOneInput(byte[] bytes) {
        try {
            AwsSettingsFile.read(InputFile.of(bytes, "aws.yaml"));
        } catch (CloudException e) {
            // It says what is wrong.
        }
    }
}
