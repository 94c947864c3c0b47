/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Makes gateway files of the product {@code http} from what people have: OpenAPI, HAR, JMeter plans. Entry type: {@link
 * io.gatebench.gateways.importer.Importer}.
 */
@NullMarked
package io.gatebench.gateways.importer;

import org.jspecify.annotations.NullMarked;
