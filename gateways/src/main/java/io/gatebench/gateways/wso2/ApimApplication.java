/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

/**
 * Credentials of a set-up that the load needs.
 *
 * @param consumerKey the application's key
 * @param consumerSecret its secret
 */
record ApimApplication(String consumerKey, String consumerSecret) {

    @Override
    public String toString() {
        // The record's own form would print the secret into logs.
        return "ApimApplication[" + consumerKey + "]";
    }
}
