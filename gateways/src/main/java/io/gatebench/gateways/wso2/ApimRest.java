/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A session with the administration interfaces of an API Manager: who asks, with which rights, and which versions of
 * the interfaces this release has.
 *
 * <p>A token that is refused is replaced once: a long run outlives it.
 */
final class ApimRest {

    /** The name under which the suite registers itself as a client. */
    static final String CLIENT = "gatebench";

    /** Path at which clients register; the same in all releases from 3.2 on. */
    static final String REGISTRATION = "/client-registration/v0.17/register";

    /** Gone already is as good; 202 is a removal that waits for an approval of the administrator's. */
    private static final Set<Integer> REMOVED = Set.of(200, 202, 204, 404);

    private static final List<String> NEEDED_SCOPES =
            List.of("apim:api_view", "apim:api_create", "apim:api_publish", "apim:subscribe");

    /** Releases differ in what they call some rights; a server leaves out those it does not know. */
    private static final List<String> FURTHER_SCOPES = List.of(
            "apim:api_delete",
            "apim:api_manage",
            "apim:publisher_settings",
            "apim:mediation_policy_view",
            "apim:mediation_policy_create",
            "apim:mediation_policy_manage",
            "apim:api_mediation_policy_manage",
            "apim:app_manage",
            "apim:sub_manage");

    private static final List<String> PUBLISHERS =
            List.of("publisher/v4", "publisher/v3", "publisher/v2", "publisher/v1");
    private static final List<String> PORTALS = List.of("devportal/v3", "devportal/v2", "devportal/v1", "store/v1");
    private static final Set<Integer> ABSENT = Set.of(404, 405, 302);

    private final RestClient client;
    private final URI admin;
    private final String user;
    private final String password;
    private String clientAuthorization = "";
    private String token = "";
    private String publisher = "";
    private String portal = "";

    /**
     * Creates a session; {@link #open} must come first.
     *
     * @param admin base URL of the administration interfaces
     */
    ApimRest(RestClient client, URI admin, String user, String password) {
        this.client = client;
        this.admin = admin;
        this.user = user;
        this.password = password;
        client.hide(password);
    }

    /** Registers as a client, gets a token, and finds out which versions of the interfaces there are. */
    void open() {
        register();
        renewToken();
        publisher = discover("find the version of the publisher interface", PUBLISHERS, "/apis?limit=1");
        portal = discover("find the version of the developer portal interface", PORTALS, "/applications?limit=1");
    }

    /** Returns the version of the publisher interface, from 1; it tells the releases apart. */
    int publisherVersion() {
        return Integer.parseInt(publisher.substring(publisher.length() - 1));
    }

    /** Returns the two interfaces, for a report. */
    String versions() {
        return publisher + ", " + portal;
    }

    URI admin() {
        return admin;
    }

    private void register() {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("callbackUrl", "https://localhost/gatebench");
        body.put("clientName", CLIENT);
        body.put("owner", user);
        body.put("grantType", "password refresh_token client_credentials");
        body.put("saasApp", true);
        RestClient.Request request = new RestClient.Request(
                "register the suite as a client",
                "POST",
                admin.resolve(REGISTRATION),
                basic(user, password),
                RestBody.json(body));
        JsonNode answer = client.json(request, Set.of(200, 201));
        String id = client.text(request, answer, "clientId");
        String secret = client.text(request, answer, "clientSecret");
        client.hide(secret);
        clientAuthorization = basic(id, secret);
    }

    private void renewToken() {
        List<String> scopes = new ArrayList<>(NEEDED_SCOPES);
        scopes.addAll(FURTHER_SCOPES);
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", "password");
        form.put("username", user);
        form.put("password", password);
        form.put("scope", String.join(" ", scopes));
        RestClient.Request request = new RestClient.Request(
                "get a token for the set-up",
                "POST",
                admin.resolve("/oauth2/token"),
                clientAuthorization,
                RestBody.form(form));
        JsonNode answer = client.json(request, Set.of(200));
        token = client.text(request, answer, "access_token");
        client.hide(token);
        List<String> granted = Arrays.asList(answer.path("scope").asText().split(" "));
        List<String> missing =
                NEEDED_SCOPES.stream().filter(scope -> !granted.contains(scope)).toList();
        if (!missing.isEmpty()) {
            throw new RestFailure(request + ": the user " + user + " was not granted " + String.join(", ", missing)
                    + "; it needs the roles Internal/creator, Internal/publisher and Internal/subscriber");
        }
    }

    private String discover(String step, List<String> candidates, String probe) {
        RestClient.Answer last = new RestClient.Answer(0, "");
        for (String candidate : candidates) {
            RestClient.Request request = request(step, "GET", "/api/am/" + candidate + probe, RestBody.NONE);
            last = client.send(request);
            if (last.status() == 200) {
                client.json(request, last);
                return candidate;
            }
            if (!ABSENT.contains(last.status())) {
                client.require(request, last, Set.of(200));
            }
        }
        throw new RestFailure(step + ": " + admin + " answers none of " + String.join(", ", candidates)
                + " (the last with " + last.status() + "): is it an API Manager of 3.2 or later?");
    }

    /** Asks the publisher. */
    JsonNode publisher(String step, String method, String path, RestBody body, int... statuses) {
        return json(request(step, method, "/api/am/" + publisher + path, body), statuses);
    }

    /** Asks the publisher and returns the answer with one of the statuses. */
    RestClient.Answer publisherAnswer(String step, String method, String path, RestBody body, int... statuses) {
        return answer(request(step, method, "/api/am/" + publisher + path, body), statuses);
    }

    /** Asks the developer portal. */
    JsonNode portal(String step, String method, String path, RestBody body, int... statuses) {
        return json(request(step, method, "/api/am/" + portal + path, body), statuses);
    }

    /** Asks the developer portal and returns the answer with one of the statuses. */
    RestClient.Answer portalAnswer(String step, String method, String path, RestBody body, int... statuses) {
        return answer(request(step, method, "/api/am/" + portal + path, body), statuses);
    }

    /** Removes something from the publisher. */
    void removeFromPublisher(String step, String path) {
        remove(request(step, "DELETE", "/api/am/" + publisher + path, RestBody.NONE));
    }

    /** Removes something from the developer portal. */
    void removeFromPortal(String step, String path) {
        remove(request(step, "DELETE", "/api/am/" + portal + path, RestBody.NONE));
    }

    private void remove(RestClient.Request request) {
        client.require(request, send(request), REMOVED);
    }

    /** Returns the text of an answer that must be there. */
    String text(String step, JsonNode answer, String field) {
        JsonNode value = answer.path(field);
        if (!value.isTextual() || value.asText().isEmpty()) {
            throw new RestFailure(step + ": the response of " + admin + " has no " + field);
        }
        return value.asText();
    }

    /** An answer that is no list must not pass for an empty one: what is there would be made a second time. */
    static JsonNode listed(String step, JsonNode answer) {
        JsonNode list = answer.path("list");
        if (list.isArray()) {
            return list;
        }
        if (answer.path("count").asInt(-1) == 0) {
            return JsonNodeFactory.instance.arrayNode();
        }
        throw new RestFailure(step + ": the response is no list of what there is");
    }

    /** Returns the JSON of an answer. */
    static JsonNode parse(String step, RestClient.Answer answer) {
        try {
            return new ObjectMapper().readTree(answer.body());
        } catch (JsonProcessingException e) {
            throw new RestFailure(step + ": the server answered " + answer.status() + " with what is no JSON");
        }
    }

    /** Makes a text unreadable in all messages. */
    void hide(String secret) {
        client.hide(secret);
    }

    /** Gives the token back, as far as the server takes it. */
    void close() {
        if (token.isEmpty()) {
            return;
        }
        client.send(new RestClient.Request(
                "give the token back",
                "POST",
                admin.resolve("/oauth2/revoke"),
                clientAuthorization,
                RestBody.form(Map.of("token", token))));
        token = "";
    }

    private JsonNode json(RestClient.Request request, int... statuses) {
        return client.json(request, answer(request, statuses));
    }

    private RestClient.Answer answer(RestClient.Request request, int... statuses) {
        return client.require(
                request, send(request), Arrays.stream(statuses).boxed().collect(Collectors.toSet()));
    }

    private RestClient.Answer send(RestClient.Request request) {
        RestClient.Answer answer = client.send(request);
        if (answer.status() != 401) {
            return answer;
        }
        renewToken();
        return client.send(new RestClient.Request(
                request.step(), request.method(), request.url(), "Bearer " + token, request.body()));
    }

    private RestClient.Request request(String step, String method, String path, RestBody body) {
        return new RestClient.Request(step, method, admin.resolve(path), "Bearer " + token, body);
    }

    static String query(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    private static String basic(String name, String secret) {
        return "Basic " + Base64.getEncoder().encodeToString((name + ":" + secret).getBytes(StandardCharsets.UTF_8));
    }
}
