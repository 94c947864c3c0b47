/* SPDX-License-Identifier: Apache-2.0 */
/** Any HTTP gateway as a product: a YAML file says how it is started, where it listens and what it serves. */
@NullMarked
package io.gatebench.gateways.http;

import org.jspecify.annotations.NullMarked;
