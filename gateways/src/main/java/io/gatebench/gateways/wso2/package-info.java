/* SPDX-License-Identifier: Apache-2.0 */
/** The real WSO2 products: installed from a pack or running already, set up over their own interfaces. */
@NullMarked
package io.gatebench.gateways.wso2;

import org.jspecify.annotations.NullMarked;
