/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.kubernetes;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.Gateway;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.Listener;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.ParentReference;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.RouteParentStatus;
import io.fabric8.kubernetes.client.KubernetesClient;

import io.gatebench.spi.EnvironmentException;

/**
 * A gateway that runs in the cluster already: a Service, or what serves a route of the Gateway API.
 *
 * @param kind what is named
 * @param namespace its namespace
 * @param name its name
 * @param port which port of a Service that has several
 */
record ExistingGateway(Kind kind, String namespace, String name, Optional<Integer> port) {

    /** Kinds of objects behind which a gateway can be found. */
    enum Kind {
        SERVICE("service"),
        HTTP_ROUTE("http-route");

        private final String key;

        Kind(String key) {
            this.key = key;
        }

        /** Returns its key in settings. */
        String key() {
            return key;
        }
    }

    /**
     * Reads {@code namespace/name}, of a Service also {@code namespace/name:port}.
     *
     * @throws IllegalArgumentException if it is neither, in words that go on after the name of the key
     */
    static ExistingGateway parse(Kind kind, String text) {
        String[] place = text.split("/", -1);
        String[] words = place.length == 2 ? place[1].split(":", -1) : new String[0];
        boolean withPort = words.length == 2 && kind == Kind.SERVICE && words[1].matches("[1-9]\\d{0,4}");
        if (words.length == 0
                || place[0].isBlank()
                || words[0].isBlank()
                || words.length > 1 && !withPort
                || withPort && Integer.parseInt(words[1]) > 65_535) {
            throw new IllegalArgumentException("must be <namespace>/<name>"
                    + (kind == Kind.SERVICE ? ", or <namespace>/<name>:<port>," : "") + " but was '" + text + "'");
        }
        return new ExistingGateway(
                kind, place[0], words[0], withPort ? Optional.of(Integer.valueOf(words[1])) : Optional.empty());
    }

    /**
     * Asks the cluster where the load generators' pods find it.
     *
     * @throws EnvironmentException if it is not there or takes no requests, with what is missing
     */
    URI url(KubernetesClient client) {
        return kind == Kind.SERVICE ? ofService(client) : ofRoute(client);
    }

    private EnvironmentException failed(String why) {
        return new EnvironmentException(List.of(kind.key() + " " + namespace + "/" + name + " " + why));
    }

    private URI ofService(KubernetesClient client) {
        Service service =
                client.services().inNamespace(namespace).withName(name).get();
        if (service == null) {
            throw failed("is not there");
        }
        List<ServicePort> ports = Optional.ofNullable(service.getSpec().getPorts()).orElse(List.of()).stream()
                .filter(each -> port.isEmpty() || port.get().equals(each.getPort()))
                .toList();
        if (ports.size() != 1) {
            throw failed("has " + ports.size()
                    + (port.isPresent() ? " ports " + port.get() : " ports, so that none is meant")
                    + "; name one of its ports: " + namespace + "/" + name + ":<port>");
        }
        // A headless one has no address of its own: its name leads to pods, and a run would measure whichever it met.
        String address = service.getSpec().getClusterIP();
        if (address == null || address.isBlank() || address.equals("None")) {
            throw failed("has no address of its own; give that of a gateway as --gateway-url");
        }
        return url(isTls(ports.get(0)), address, ports.get(0).getPort());
    }

    private static boolean isTls(ServicePort port) {
        String protocol = Stream.of(port.getAppProtocol(), port.getName())
                .filter(word -> word != null && !word.isBlank())
                .findFirst()
                .orElse(port.getPort() % 1000 == 443 ? "https" : "http");
        return protocol.contains("https") || protocol.contains("tls");
    }

    private URI ofRoute(KubernetesClient client) {
        HTTPRoute route = client.resources(HTTPRoute.class)
                .inNamespace(namespace)
                .withName(name)
                .get();
        if (route == null) {
            throw failed("is not there");
        }
        RouteParentStatus accepted = Stream.ofNullable(route.getStatus())
                .flatMap(status -> Stream.ofNullable(status.getParents()))
                .flatMap(List::stream)
                .filter(parent -> refusal(parent).isEmpty())
                .findFirst()
                .orElseThrow(() -> failed("is served by no Gateway: " + refusals(route)));
        ParentReference parent = accepted.getParentRef();
        String where = Optional.ofNullable(parent.getNamespace()).orElse(namespace);
        Gateway gateway = client.resources(Gateway.class)
                .inNamespace(where)
                .withName(parent.getName())
                .get();
        if (gateway == null) {
            throw failed("is served by the Gateway " + where + "/" + parent.getName() + ", which is not there");
        }
        String address = Stream.ofNullable(gateway.getStatus())
                .flatMap(status -> Stream.ofNullable(status.getAddresses()))
                .flatMap(List::stream)
                .map(each -> each.getValue())
                .findFirst()
                .orElseThrow(() -> failed(
                        "is served by the Gateway " + where + "/" + parent.getName() + ", which has no address yet"));
        Listener listener = gateway.getSpec().getListeners().stream()
                .filter(each -> List.of("HTTP", "HTTPS").contains(each.getProtocol()))
                .filter(each -> parent.getSectionName() == null
                        || parent.getSectionName().equals(each.getName()))
                .filter(each -> parent.getPort() == null || parent.getPort().equals(each.getPort()))
                .findFirst()
                .orElseThrow(() -> failed("is served by the Gateway " + where + "/" + parent.getName()
                        + ", which has no such listener for HTTP or HTTPS"));
        // Gateways tell routes by the name of the host: for one that has a name, the address would lead elsewhere.
        String host = Optional.ofNullable(route.getSpec().getHostnames()).orElse(List.of()).stream()
                .filter(each -> !each.startsWith("*"))
                .findFirst()
                .orElse(address);
        return url("HTTPS".equals(listener.getProtocol()), host, listener.getPort());
    }

    private static URI url(boolean tls, String host, int port) {
        return URI.create(
                (tls ? "https" : "http") + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port);
    }

    private static String refusals(HTTPRoute route) {
        List<String> words = Stream.ofNullable(route.getStatus())
                .flatMap(status -> Stream.ofNullable(status.getParents()))
                .flatMap(List::stream)
                .flatMap(parent -> refusal(parent).stream())
                .distinct()
                .toList();
        return words.isEmpty() ? "no controller has looked at it" : String.join("; ", words);
    }

    /** Returns why a Gateway does not serve a route; empty if it does. */
    private static Optional<String> refusal(RouteParentStatus parent) {
        for (String type : List.of("Accepted", "ResolvedRefs")) {
            Optional<Condition> condition = Stream.ofNullable(parent.getConditions())
                    .flatMap(List::stream)
                    .filter(each -> type.equals(each.getType()))
                    .findFirst();
            if (condition.filter(each -> "True".equals(each.getStatus())).isEmpty()) {
                return Optional.of(condition
                        .map(each -> type + " is " + each.getStatus() + ", " + each.getReason()
                                + (each.getMessage() == null
                                                || each.getMessage().isBlank()
                                        ? ""
                                        : " (" + each.getMessage() + ")"))
                        .orElse(type + " is not said"));
            }
        }
        return Optional.empty();
    }
}
