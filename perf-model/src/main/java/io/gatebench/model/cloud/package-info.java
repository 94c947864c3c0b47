/* SPDX-License-Identifier: Apache-2.0 */
/** What a module that rents machines offers to the program; {@link io.gatebench.model.cloud.CloudProvider} is the entry. */
package io.gatebench.model.cloud;
