/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;

import org.junit.jupiter.api.Test;

class TemplateTest {

    @Test
    void putsValuesInAsTheyAreOrAsAUrlCanHoldThem() {
        Template template = Template.of("/orders/${id}?q=${id}&$${x}");

        assertThat(template.names()).containsExactly("id");
        assertThat(template.fill(Map.of("id", "a \"b\""))).isEqualTo("/orders/a \"b\"?q=a \"b\"&${x}");
        assertThat(template.fillPath(Map.of("id", "grün \uD83C\uDF75/1")))
                .startsWith("/orders/gr%C3%BCn%20%F0%9F%8D%B5/1?");
        assertThat(Template.of(Template.escaped("${x} $${y}")).fill(Map.of())).isEqualTo("${x} $${y}");
    }

    @Test
    void refusesWhatIsNoName() {
        assertThatThrownBy(() -> Template.of("/${__Random(1,2)}"))
                .hasMessage("'${__Random(1,2)}' is no variable: a name is of letters, digits, '_', '.' and '-'; write"
                        + " $${ for the characters themselves");
        assertThatThrownBy(() -> Template.of("${a}").fill(Map.of())).hasMessage("there is no value for ${a}");
    }
}
