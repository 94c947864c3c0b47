/* SPDX-License-Identifier: Apache-2.0 */
/** Roles in the pods of a Kubernetes cluster. */
@NullMarked
package io.gatebench.kubernetes;

import org.jspecify.annotations.NullMarked;
