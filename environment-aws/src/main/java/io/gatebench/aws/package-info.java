/* SPDX-License-Identifier: Apache-2.0 */
/** Rents machines in AWS for a run and gives them back; {@link io.gatebench.aws.AwsProvider} is the entry. */
@NullMarked
package io.gatebench.aws;

import org.jspecify.annotations.NullMarked;
