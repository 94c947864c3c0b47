/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import io.gatebench.model.FailureReason;

/** A case cannot go on; the message says why. */
final class CaseFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;
    private final FailureReason reason;

    CaseFailure(FailureReason reason, String message) {
        super(message);
        this.reason = reason;
    }

    FailureReason reason() {
        return reason;
    }
}
