/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What the double answers. */
record DoubleReply(int status, String body) {

    static DoubleReply of(int status, JsonNode node) {
        return new DoubleReply(status, node.toString());
    }

    static DoubleReply refused(int status, String why) {
        return of(
                status,
                JsonNodeFactory.instance.objectNode().put("code", status).put("description", why));
    }

    static DoubleReply list(Iterable<ObjectNode> items) {
        ObjectNode list = JsonNodeFactory.instance.objectNode();
        ArrayNode entries = list.putArray("list");
        items.forEach(entries::add);
        return of(200, list.put("count", entries.size()));
    }
}
