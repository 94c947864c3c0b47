/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecretHeadersTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-API-Key",
                "Cookie",
                "apikey",
                "X-Auth",
                "Ocp-Apim-Subscription-Key",
                "X-Amz-Security-Token",
                "X-Password"
            })
    void hidesWhatIsASecretByItsName(String name) {
        assertThat(SecretHeaders.isSecret(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Type", "Accept", "SOAPAction", "routing", "Host", "query-number", "User-Agent"})
    void showsTheOthers(String name) {
        assertThat(SecretHeaders.isSecret(name)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "https://user:s3cret@10.0.0.5:8243, https://***@10.0.0.5:8243",
        "user:s3cret@host, ***@host",
        "https://host:8243/a@b, https://host:8243/a@b",
        "http://a:b@c@host/x, http://***@host/x"
    })
    void showsNoUserOfAUrl(String url, String shown) {
        assertThat(SecretHeaders.withoutUser(url)).isEqualTo(shown);
    }
}
