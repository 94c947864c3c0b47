/* SPDX-License-Identifier: Apache-2.0 */
/** Offer of a module that rents machines; {@link io.gatebench.model.cloud.CloudProvider} is the entry. */
package io.gatebench.model.cloud;
