/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * An account in AWS with one region, as far as this module asks: stacks that come and go step by step, what is in them,
 * the order in which it can be deleted, and faults on request. It speaks the protocols of the services on loopback.
 */
final class FakeAws implements AutoCloseable {

    static final String ACCOUNT = "123456789012";
    static final String PASSWORD = "p<4>s'w$";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer server;
    private final Map<String, FakeStack> stacks = new LinkedHashMap<>();
    private final Map<String, Resource> world = new LinkedHashMap<>();
    private final Map<String, Deque<Fault>> faults = new HashMap<>();
    private final List<String> calls = new ArrayList<>();
    private final List<Map<String, String>> created = new ArrayList<>();
    private final Map<String, String> stuck = new HashMap<>();
    private final Map<String, Integer> quotas = new HashMap<>();
    private final List<String> unknownQuotas = new ArrayList<>();
    private String body = "";
    private String failing = "";
    private String reason = "";
    private boolean expired;
    private Runnable killer = () -> {};
    private String killAt = "";
    private boolean killAfter;
    private int number;

    /** One thing in the account. */
    private static final class Resource {
        private final String id;
        private final String type;
        private final String stack;
        private final Map<String, String> tags;
        private final JsonNode properties;
        private String state = "running";

        Resource(String id, String type, String stack, Map<String, String> tags, JsonNode properties) {
            this.id = id;
            this.type = type;
            this.stack = stack;
            this.tags = tags;
            this.properties = properties;
        }
    }

    private static final class FakeStack {
        private final Map<String, String> tags;
        private final List<String> events = new ArrayList<>();
        private String status = "CREATE_IN_PROGRESS";
        private int looks;

        FakeStack(Map<String, String> tags) {
            this.tags = tags;
        }
    }

    /** An answer in place of the right one; status 0 drops the connection after the call has had its effect. */
    private record Fault(int status, String code) {}

    private FakeAws(HttpServer server) {
        this.server = server;
    }

    static FakeAws start() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        FakeAws fake = new FakeAws(server);
        server.setExecutor(Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "fake-aws");
            thread.setDaemon(true);
            return thread;
        }));
        server.createContext("/", fake::handle);
        server.start();
        return fake;
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Makes the next calls of an action fail. */
    synchronized void fault(String action, int status, String code, int times) {
        for (int i = 0; i < times; i++) {
            faults.computeIfAbsent(action, key -> new ArrayDeque<>()).add(new Fault(status, code));
        }
    }

    /** Makes the creation of a resource fail, after which AWS deletes the stack by itself. */
    synchronized void failResource(String logicalName, String why) {
        failing = logicalName;
        reason = why;
    }

    /** Makes the deletion of the stack stop at a resource, which can still be deleted on its own after some tries. */
    synchronized void stick(String logicalName) {
        stuck.put(logicalName, "");
    }

    synchronized void quota(String code, int value) {
        quotas.put(code, value);
    }

    /** The account has never asked for another value of this quota: it is known as AWS's default only. */
    synchronized void quotaByDefault(String code) {
        unknownQuotas.add(code);
    }

    synchronized void expire(boolean value) {
        expired = value;
    }

    /** Runs something at the first call of an action for a stack whose name ends so, or with that filter. */
    synchronized void at(String actionAndText, boolean afterEffect, Runnable action) {
        killAt = actionAndText;
        killAfter = afterEffect;
        killer = action;
    }

    /** Returns all that exists, with its kind. */
    synchronized List<String> left() {
        List<String> all = new ArrayList<>();
        stacks.forEach((name, stack) -> {
            if (!stack.status.equals("DELETE_COMPLETE")) {
                all.add("stack " + name + " " + stack.status);
            }
        });
        world.values().stream()
                .filter(r -> !r.state.equals("terminated"))
                .forEach(r -> all.add(r.type + " " + r.id + " " + r.state));
        return all;
    }

    synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    /** Returns the form fields of each accepted creation of a stack. */
    synchronized List<Map<String, String>> created() {
        return List.copyOf(created);
    }

    private void handle(HttpExchange exchange) throws IOException {
        String received = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Runnable kill = () -> {};
        boolean after = false;
        String answer;
        int status = 200;
        synchronized (this) {
            body = received;
            Map<String, String> form = form(body);
            String target = String.valueOf(exchange.getRequestHeaders().getFirst("X-Amz-Target"));
            String path = exchange.getRequestURI().getPath();
            String action = path.startsWith("/schedules")
                    ? "Schedules" + exchange.getRequestMethod()
                    : target.equals("null")
                            ? form.getOrDefault("Action", "?")
                            : target.substring(target.indexOf('.') + 1);
            calls.add(action);
            if (!killAt.isEmpty()
                    && action.equals(killAt.split(" ")[0])
                    && (form.getOrDefault("StackName", "").endsWith(killAt.substring(killAt.indexOf(' ') + 1))
                            || form.containsValue(
                                    "tag:aws:cloudformation:" + killAt.substring(killAt.indexOf(' ') + 1)))) {
                kill = killer;
                after = killAfter;
                killAt = "";
                if (!after) {
                    kill.run();
                    exchange.close();
                    return;
                }
            }
            Fault fault = faults.getOrDefault(action, new ArrayDeque<>()).poll();
            if (expired) {
                fault = new Fault(403, "ExpiredToken");
            }
            if (fault != null && fault.status() > 0) {
                status = fault.status();
                answer = error(form.getOrDefault("Version", ""), fault.code(), "as the test wants it");
            } else {
                try {
                    answer = answer(action, form, target, path, exchange.getRequestMethod());
                } catch (Refusal e) {
                    status = 400;
                    answer = target.equals("null")
                            ? error(form.getOrDefault("Version", ""), e.code, e.getMessage())
                            : "{\"__type\": \"" + e.code + "\", \"message\": \"" + e.getMessage() + "\"}";
                }
                if (fault != null) {
                    exchange.close();
                    return;
                }
            }
        }
        if (after) {
            kill.run();
            exchange.close();
            return;
        }
        byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", answer.startsWith("{") ? "application/json" : "text/xml");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static final class Refusal extends IllegalStateException {
        private static final long serialVersionUID = 1L;
        private final String code;

        Refusal(String code, String message) {
            super(message);
            this.code = code;
        }
    }

    private static String error(String version, String code, String message) {
        if (version.equals("2016-11-15")) {
            return "<Response><Errors><Error><Code>" + code + "</Code><Message>" + message
                    + "</Message></Error></Errors><RequestID>r</RequestID></Response>";
        }
        return "<ErrorResponse><Error><Type>Sender</Type><Code>" + code + "</Code><Message>" + message
                + "</Message></Error><RequestId>r</RequestId></ErrorResponse>";
    }

    private static Map<String, String> form(String body) {
        Map<String, String> form = new TreeMap<>();
        for (String pair : body.split("&")) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                form.put(
                        URLDecoder.decode(pair.substring(0, equals), StandardCharsets.UTF_8),
                        URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        return form;
    }

    private String answer(String action, Map<String, String> form, String target, String path, String method)
            throws IOException {
        if (path.startsWith("/schedules")) {
            return schedules(path, method);
        }
        return switch (action) {
            case "GetParameter" -> "{\"Parameter\": {\"Name\": \"x\", \"Value\": \"ami-0123456789abcdef0\"}}";
            case "GetServiceQuota" -> quota();
            case "ListAWSDefaultServiceQuotas" ->
                "{\"Quotas\": [{\"QuotaCode\": \"L-F678F1CE\", \"Value\": 5}, {\"QuotaCode\": \"L-1216C47A\", \"Value\": 9}]}";
            case "GetCallerIdentity" ->
                query(action, "<Account>" + ACCOUNT + "</Account><Arn>a</Arn><UserId>u</UserId>");
            case "DescribeInstanceTypes" ->
                ec2(
                        action,
                        "<instanceTypeSet><item><instanceType>c5.xlarge</instanceType><vCpuInfo><defaultVCpus>4"
                                + "</defaultVCpus></vCpuInfo></item></instanceTypeSet>");
            case "DescribeDBInstances" -> databases();
            case "GetSecretValue" ->
                "{\"SecretString\": \"{\\\"username\\\": \\\"gatebench\\\", \\\"password\\\": \\\"" + PASSWORD
                        + "\\\"}\"}";
            case "CreateStack" -> createStack(form);
            case "DescribeStacks" -> describeStacks(form);
            case "DescribeStackEvents" -> events(form.get("StackName"));
            case "DeleteStack" -> deleteStack(form);
            case "DescribeInstances" -> instances(form);
            case "DescribeVpcs" -> list(action, "vpcSet", "AWS::EC2::VPC", "vpcId");
            case "DescribeSubnets" -> list(action, "subnetSet", "AWS::EC2::Subnet", "subnetId");
            case "DescribeRouteTables" -> list(action, "routeTableSet", "AWS::EC2::RouteTable", "routeTableId");
            case "DescribeInternetGateways" ->
                list(action, "internetGatewaySet", "AWS::EC2::InternetGateway", "internetGatewayId");
            case "DescribeSecurityGroups" -> list(action, "securityGroupInfo", "AWS::EC2::SecurityGroup", "groupId");
            case "TerminateInstances" -> terminate(form.get("InstanceId.1"));
            case "DeleteVpc" -> delete(action, form.get("VpcId"), r -> !r.type.startsWith("AWS::IAM"));
            case "DeleteSubnet" -> delete(action, form.get("SubnetId"), r -> r.type.equals("AWS::EC2::Instance"));
            case "DeleteRouteTable" -> delete(action, form.get("RouteTableId"), r -> false);
            case "DeleteInternetGateway" -> delete(action, form.get("InternetGatewayId"), r -> false);
            case "DeleteSecurityGroup" -> delete(action, form.get("GroupId"), r -> r.type.equals("AWS::EC2::Instance"));
            case "ListRoles" -> roles();
            case "DeleteRole" -> {
                world.remove(form.get("RoleName"));
                yield query(action, "");
            }
            default -> form.getOrDefault("Version", "").equals("2016-11-15") ? ec2(action, "") : query(action, "");
        };
    }

    private static String query(String action, String content) {
        return "<" + action + "Response><" + action + "Result>" + content + "</" + action + "Result></" + action
                + "Response>";
    }

    private static String ec2(String action, String content) {
        return "<" + action + "Response><requestId>r</requestId><return>true</return>" + content + "</" + action
                + "Response>";
    }

    private String quota() throws IOException {
        String code = JSON.readTree(body).path("QuotaCode").asText();
        if (unknownQuotas.contains(code)) {
            throw new Refusal("NoSuchResourceException", "there is no such quota");
        }
        return "{\"Quota\": {\"QuotaCode\": \"" + code + "\", \"Value\": " + quotas.getOrDefault(code, 64) + "}}";
    }

    private String schedules(String path, String method) {
        if (method.equals("DELETE")) {
            world.remove(path.substring(path.lastIndexOf('/') + 1));
            return "{}";
        }
        StringBuilder all = new StringBuilder();
        world.values().stream()
                .filter(r -> r.type.equals("AWS::Scheduler::Schedule"))
                .forEach(r -> all.append(all.length() == 0 ? "" : ",")
                        .append("{\"Name\": \"")
                        .append(r.id)
                        .append("\", \"State\": \"ENABLED\"}"));
        return "{\"Schedules\": [" + all + "]}";
    }

    private String databases() {
        StringBuilder all = new StringBuilder("<DBInstances>");
        world.values().stream()
                .filter(r -> r.type.equals("AWS::RDS::DBInstance"))
                .forEach(r -> all.append("<DBInstance><DBInstanceIdentifier>")
                        .append(r.properties.path("DBInstanceIdentifier").asText())
                        .append("</DBInstanceIdentifier><Endpoint><Address>db.example</Address><Port>3306</Port>"
                                + "</Endpoint><MasterUserSecret><SecretArn>arn:secret</SecretArn></MasterUserSecret>"
                                + "</DBInstance>"));
        return query("DescribeDBInstances", all + "</DBInstances>");
    }

    private String roles() {
        StringBuilder all = new StringBuilder("<IsTruncated>false</IsTruncated><Roles>");
        world.values().stream()
                .filter(r -> r.type.equals("AWS::IAM::Role"))
                .forEach(r -> all.append("<member><RoleName>")
                        .append(r.id)
                        .append("</RoleName><Path>")
                        .append(r.properties.path("Path").asText())
                        .append("</Path></member>"));
        return query("ListRoles", all + "</Roles>");
    }

    private String createStack(Map<String, String> form) throws IOException {
        String name = form.get("StackName");
        if (stacks.containsKey(name) && !stacks.get(name).status.equals("DELETE_COMPLETE")) {
            throw new Refusal("AlreadyExistsException", "Stack [" + name + "] already exists");
        }
        created.add(form);
        Map<String, String> tags = new HashMap<>();
        for (int i = 1; form.containsKey("Tags.member." + i + ".Key"); i++) {
            tags.put(form.get("Tags.member." + i + ".Key"), form.get("Tags.member." + i + ".Value"));
        }
        FakeStack stack = new FakeStack(tags);
        stacks.put(name, stack);
        JsonNode resources = JSON.readTree(form.get("TemplateBody")).path("Resources");
        resources.properties().forEach(field -> {
            if (stack.status.equals("DELETE_IN_PROGRESS")) {
                return;
            }
            String logical = field.getKey();
            String type = field.getValue().path("Type").asText();
            if (logical.equals(failing)) {
                stack.events.add(logical + "|" + type + "|CREATE_FAILED|" + reason);
                stack.status = "DELETE_IN_PROGRESS";
                return;
            }
            JsonNode properties = field.getValue().path("Properties");
            Map<String, String> own = new HashMap<>(tags);
            properties
                    .path("Tags")
                    .forEach(tag ->
                            own.put(tag.path("Key").asText(), tag.path("Value").asText()));
            own.put("aws:cloudformation:stack-name", name);
            String id = type.equals("AWS::Scheduler::Schedule")
                    ? properties.path("Name").asText()
                    : logical.toLowerCase(java.util.Locale.ROOT) + "-" + ++number;
            if (!type.matches(".*(Attachment|Route|Association|Ingress)")) {
                world.put(id, new Resource(id, type, name, own, properties));
            }
            if (stuck.containsKey(logical)) {
                stuck.put(logical, id);
            }
            stack.events.add(logical + "|" + type + "|CREATE_COMPLETE|");
        });
        return query("CreateStack", "<StackId>arn:" + name + "</StackId>");
    }

    private void progress(String name, FakeStack stack) {
        stack.looks++;
        if (stack.status.equals("CREATE_IN_PROGRESS") && stack.looks > 1) {
            stack.status = "CREATE_COMPLETE";
        } else if (stack.status.equals("DELETE_IN_PROGRESS") && stack.looks > 1) {
            world.values().removeIf(r -> r.stack.equals(name) && !stuck.containsValue(r.id));
            boolean all = world.values().stream().noneMatch(r -> r.stack.equals(name));
            stack.status = all ? "DELETE_COMPLETE" : "DELETE_FAILED";
        }
    }

    private String describeStacks(Map<String, String> form) {
        StringBuilder all = new StringBuilder("<Stacks>");
        String asked = form.get("StackName");
        stacks.forEach((name, stack) -> {
            if (asked == null || asked.equals(name)) {
                progress(name, stack);
            }
            if (stack.status.equals("DELETE_COMPLETE") || asked != null && !asked.equals(name)) {
                return;
            }
            all.append("<member><StackName>").append(name).append("</StackName><StackStatus>");
            all.append(stack.status).append("</StackStatus><CreationTime>2026-11-21T00:00:00Z</CreationTime><Tags>");
            stack.tags.forEach((key, value) -> all.append("<member><Key>")
                    .append(key)
                    .append("</Key><Value>")
                    .append(value)
                    .append("</Value></member>"));
            all.append("</Tags></member>");
        });
        if (asked != null && all.toString().equals("<Stacks>")) {
            throw new Refusal("ValidationError", "Stack with id " + asked + " does not exist");
        }
        return query("DescribeStacks", all + "</Stacks>");
    }

    private String events(String name) {
        FakeStack stack = stacks.get(name);
        if (stack == null) {
            throw new Refusal("ValidationError", "Stack [" + name + "] does not exist");
        }
        StringBuilder all = new StringBuilder("<StackEvents>");
        for (int i = stack.events.size() - 1; i >= 0; i--) {
            String[] parts = stack.events.get(i).split("\\|", -1);
            all.append("<member><EventId>" + name + i + "</EventId><LogicalResourceId>" + parts[0]
                    + "</LogicalResourceId><ResourceType>" + parts[1] + "</ResourceType><ResourceStatus>" + parts[2]
                    + "</ResourceStatus><ResourceStatusReason>" + parts[3] + "</ResourceStatusReason></member>");
        }
        return query("DescribeStackEvents", all + "</StackEvents>");
    }

    private String deleteStack(Map<String, String> form) {
        FakeStack stack = stacks.get(form.get("StackName"));
        if (stack != null && !stack.status.equals("DELETE_COMPLETE")) {
            stack.looks = 0;
            stack.status =
                    "FORCE_DELETE_STACK".equals(form.get("DeletionMode")) ? "DELETE_COMPLETE" : "DELETE_IN_PROGRESS";
        }
        return query("DeleteStack", "");
    }

    private String instances(Map<String, String> form) {
        StringBuilder all = new StringBuilder("<reservationSet><item><instancesSet>");
        for (Resource r : world.values()) {
            if (!r.type.equals("AWS::EC2::Instance")
                    || form.containsValue("tag:aws:cloudformation:stack-name") && !form.containsValue(r.stack)) {
                continue;
            }
            all.append("<item><instanceId>" + r.id + "</instanceId><imageId>ami-1</imageId><instanceType>"
                    + r.properties.path("InstanceType").asText() + "</instanceType><privateIpAddress>"
                    + r.properties.path("PrivateIpAddress").asText() + "</privateIpAddress><ipAddress>127.0.0.1"
                    + "</ipAddress><instanceState><name>" + r.state + "</name></instanceState>" + tags(r) + "</item>");
            if (r.state.equals("shutting-down")) {
                r.state = "terminated";
            }
        }
        return ec2("DescribeInstances", all + "</instancesSet></item></reservationSet>");
    }

    private static String tags(Resource r) {
        StringBuilder all = new StringBuilder("<tagSet>");
        r.tags.forEach((key, value) -> all.append("<item><key>" + key + "</key><value>" + value + "</value></item>"));
        return all + "</tagSet>";
    }

    private String list(String action, String set, String type, String idName) {
        StringBuilder all = new StringBuilder("<" + set + ">");
        world.values().stream()
                .filter(r -> r.type.equals(type))
                .forEach(r -> all.append("<item><" + idName + ">" + r.id + "</" + idName + ">"
                        + (type.endsWith("SecurityGroup") ? "<groupName>g</groupName>" : "")
                        + network(r) + tags(r) + "</item>"));
        return ec2(action, all + "</" + set + ">");
    }

    private String network(Resource resource) {
        String id = world.values().stream()
                .filter(r -> r.type.equals("AWS::EC2::VPC") && r.stack.equals(resource.stack))
                .map(r -> "<vpcId>" + r.id + "</vpcId>")
                .findFirst()
                .orElse("");
        if (resource.type.equals("AWS::EC2::VPC") || id.isEmpty()) {
            return "";
        }
        return resource.type.equals("AWS::EC2::InternetGateway")
                ? "<attachmentSet><item><state>available</state>" + id + "</item></attachmentSet>"
                : id;
    }

    private String terminate(String id) {
        if (world.get(id).state.equals("running")) {
            world.get(id).state = "shutting-down";
        }
        return ec2("TerminateInstances", "");
    }

    private String delete(String action, String id, Predicate<Resource> inTheWay) {
        Resource resource = world.get(id);
        if (resource == null) {
            throw new Refusal("InvalidID.NotFound", id + " does not exist");
        }
        if (world.values().stream()
                .anyMatch(r -> r != resource
                        && r.stack.equals(resource.stack)
                        && !r.state.equals("terminated")
                        && inTheWay.test(r))) {
            throw new Refusal("DependencyViolation", id + " has dependencies and cannot be deleted");
        }
        world.remove(id);
        return ec2(action, "");
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
