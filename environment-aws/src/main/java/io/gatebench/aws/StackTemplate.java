/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.gatebench.model.NodeRole;

/**
 * The CloudFormation templates, made from the settings.
 *
 * <p>No template holds a secret: host keys come as parameters that AWS does not show, the password of a database is
 * made and kept by RDS.
 */
final class StackTemplate {

    /** The tag that says to which run a resource belongs. */
    static final String RUN_TAG = "gatebench:run";

    /** The tag that says when a resource is to be gone at the latest. */
    static final String EXPIRY_TAG = "gatebench:expires";

    /** The tag of an instance with the name of its machine. */
    static final String MACHINE_TAG = "gatebench:machine";

    /** The command on a machine that sets the minutes until it ends itself. */
    static final String LEASE_COMMAND = "/usr/local/sbin/gatebench-lease";

    /** The parameter of the machines and the output of the guard with the profile of the machine that archives. */
    static final String PROFILE = "Profile";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int FIRST_ADDRESS = 11;
    private static final int SSH = 22;
    private static final int MYSQL = 3306;

    private StackTemplate() {}

    /**
     * One machine of a stack.
     *
     * @param name e.g. {@code load-generator-1}
     * @param resource its name in the template
     * @param role what it is there for
     * @param type its instance type
     * @param address its private address
     */
    record Machine(String name, String resource, NodeRole role, String type, String address) {

        String hostKeyParameter() {
            return resource + "HostKey";
        }
    }

    /** Returns the machines of a stack in a fixed order with fixed private addresses. */
    static List<Machine> machines(AwsSettings settings) {
        List<Machine> machines = new ArrayList<>();
        String base = settings.network().substring(0, settings.network().lastIndexOf('.') + 1);
        machines.add(new Machine("gateway", "Gateway", NodeRole.GATEWAY, settings.gatewayType(), base + FIRST_ADDRESS));
        machines.add(new Machine(
                "backend", "Backend", NodeRole.BACKEND, settings.backendType(), base + (FIRST_ADDRESS + 1)));
        for (int i = 1; i <= settings.loadGenerators(); i++) {
            machines.add(new Machine(
                    "load-generator-" + i,
                    "LoadGenerator" + i,
                    NodeRole.LOAD_GENERATOR,
                    settings.loadGeneratorType(),
                    base + (FIRST_ADDRESS + 1 + i)));
        }
        return machines;
    }

    /**
     * Returns the template of the machines.
     *
     * @param stack the name of the stack, which the database carries too
     * @param login the public key that may log in
     * @param hostPublicKeys public host key by name of machine; empty if the image has its own
     * @param writesArchive whether the first load generator has the profile of the guard
     */
    static String machines(
            AwsSettings settings,
            String run,
            String stack,
            String login,
            Map<String, String> hostPublicKeys,
            boolean writesArchive) {
        Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("Image", map("Type", "AWS::EC2::Image::Id", "Description", "Image of all machines"));
        parameters.put(
                "Caller",
                map(
                        "Type",
                        "String",
                        "Description",
                        "Who may reach the machines over SSH",
                        "AllowedPattern",
                        "^[0-9.]+/(2[4-9]|3[0-2])$"));
        Map<String, Object> resources = new LinkedHashMap<>();
        network(settings, resources);
        for (Machine machine : machines(settings)) {
            if (hostPublicKeys.containsKey(machine.name())) {
                parameters.put(
                        machine.hostKeyParameter(),
                        map("Type", "String", "NoEcho", true, "Description", "Private host key of " + machine.name()));
            }
            resources.put(machine.resource(), instance(settings, run, machine, login, hostPublicKeys));
        }
        if (writesArchive) {
            parameters.put(
                    PROFILE, map("Type", "String", "Description", "Profile of the machine that archives results"));
            properties(resources, "LoadGenerator1").put("IamInstanceProfile", ref(PROFILE));
        }
        settings.database().ifPresent(database -> database(settings, database, stack, resources));
        return template("Machines of a Gatebench run", parameters, resources, Map.of());
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> properties(Map<String, Object> resources, String name) {
        return (Map<String, Object>) ((Map<String, Object>) resources.get(name)).get("Properties");
    }

    private static void network(AwsSettings settings, Map<String, Object> resources) {
        resources.put(
                "Network",
                resource(
                        "AWS::EC2::VPC",
                        map("CidrBlock", settings.network(), "EnableDnsHostnames", true, "EnableDnsSupport", true)));
        resources.put("Internet", resource("AWS::EC2::InternetGateway", map("Tags", List.of(name("gatebench")))));
        resources.put(
                "InternetAttachment",
                resource(
                        "AWS::EC2::VPCGatewayAttachment",
                        map("VpcId", ref("Network"), "InternetGatewayId", ref("Internet"))));
        resources.put(
                "Subnet",
                resource(
                        "AWS::EC2::Subnet",
                        map(
                                "VpcId",
                                ref("Network"),
                                "CidrBlock",
                                half(settings, 0),
                                "AvailabilityZone",
                                zone(0),
                                "MapPublicIpOnLaunch",
                                true)));
        resources.put("Routes", resource("AWS::EC2::RouteTable", map("VpcId", ref("Network"))));
        Map<String, Object> route = resource(
                "AWS::EC2::Route",
                map("RouteTableId", ref("Routes"), "DestinationCidrBlock", "0.0.0.0/0", "GatewayId", ref("Internet")));
        route.put("DependsOn", "InternetAttachment");
        resources.put("InternetRoute", route);
        resources.put(
                "SubnetRoutes",
                resource(
                        "AWS::EC2::SubnetRouteTableAssociation",
                        map("SubnetId", ref("Subnet"), "RouteTableId", ref("Routes"))));
        resources.put(
                "Access",
                resource(
                        "AWS::EC2::SecurityGroup",
                        map(
                                "GroupDescription",
                                "SSH from the caller, everything among the machines",
                                "VpcId",
                                ref("Network"),
                                "SecurityGroupIngress",
                                List.of(map(
                                        "Description",
                                        "SSH from the caller",
                                        "IpProtocol",
                                        "tcp",
                                        "FromPort",
                                        SSH,
                                        "ToPort",
                                        SSH,
                                        "CidrIp",
                                        ref("Caller"))))));
        resources.put(
                "AccessAmongMachines",
                resource(
                        "AWS::EC2::SecurityGroupIngress",
                        map(
                                "Description",
                                "Everything among the machines",
                                "GroupId",
                                get("Access", "GroupId"),
                                "IpProtocol",
                                "-1",
                                "SourceSecurityGroupId",
                                get("Access", "GroupId"))));
    }

    private static Map<String, Object> instance(
            AwsSettings settings, String run, Machine machine, String login, Map<String, String> hostPublicKeys) {
        Map<String, Object> properties = map(
                "ImageId",
                ref("Image"),
                "InstanceType",
                machine.type(),
                "SubnetId",
                ref("Subnet"),
                "SecurityGroupIds",
                List.of(get("Access", "GroupId")),
                "PrivateIpAddress",
                machine.address(),
                "InstanceInitiatedShutdownBehavior",
                "terminate",
                "PropagateTagsToVolumeOnCreation",
                true,
                "MetadataOptions",
                map("HttpEndpoint", "enabled", "HttpTokens", "required", "HttpPutResponseHopLimit", 1),
                "BlockDeviceMappings",
                List.of(map(
                        "DeviceName",
                        settings.device(),
                        "Ebs",
                        map(
                                "VolumeSize",
                                settings.diskGib(),
                                "VolumeType",
                                "gp3",
                                "Encrypted",
                                true,
                                "DeleteOnTermination",
                                true))),
                "UserData",
                map(
                        "Fn::Base64",
                        hostPublicKeys.containsKey(machine.name())
                                ? map("Fn::Sub", userData(settings, machine, login, hostPublicKeys))
                                : userData(settings, machine, login, hostPublicKeys)),
                "Tags",
                List.of(
                        name("gatebench " + run + " " + machine.name()),
                        map("Key", MACHINE_TAG, "Value", machine.name())));
        Map<String, Object> instance = resource("AWS::EC2::Instance", properties);
        instance.put("DependsOn", List.of("InternetRoute", "SubnetRoutes"));
        return instance;
    }

    /** A cloud-config; what is written as {@code ${...}} is filled in by CloudFormation. */
    private static String userData(
            AwsSettings settings, Machine machine, String login, Map<String, String> hostPublicKeys) {
        long minutes = settings.lease().toMinutes();
        StringBuilder text = new StringBuilder("#cloud-config\n");
        if (hostPublicKeys.containsKey(machine.name())) {
            text.append("ssh_deletekeys: true\nssh_keys:\n")
                    .append("  ed25519_private: \"${")
                    .append(machine.hostKeyParameter())
                    .append("}\"\n  ed25519_public: \"")
                    .append(hostPublicKeys.get(machine.name()))
                    .append("\"\n");
        }
        text.append("ssh_authorized_keys:\n  - \"").append(login).append("\"\n");
        text.append("write_files:\n  - path: ")
                .append(LEASE_COMMAND)
                .append("\n    permissions: '0755'\n    content: |\n")
                .append("      #!/bin/sh\n")
                .append("      # Sets after how many minutes this machine ends itself, in place of what was set.\n")
                .append("      exec shutdown -h \"+$1\"\n");
        // Once as early as possible and once for sure: the first may come before there is anything to take it.
        text.append("bootcmd:\n  - [sh, -c, \"shutdown -h +")
                .append(minutes)
                .append(" || true\"]\nruncmd:\n  - [")
                .append(LEASE_COMMAND)
                .append(", \"")
                .append(minutes)
                .append("\"]\n");
        if (!settings.packages().isEmpty()) {
            text.append("package_update: true\npackages:\n");
            settings.packages().forEach(name -> text.append("  - ").append(name).append('\n'));
        }
        return text.toString();
    }

    private static void database(
            AwsSettings settings, AwsSettings.Database database, String stack, Map<String, Object> resources) {
        resources.put(
                "SecondSubnet",
                resource(
                        "AWS::EC2::Subnet",
                        map("VpcId", ref("Network"), "CidrBlock", half(settings, 1), "AvailabilityZone", zone(1))));
        resources.put(
                "DatabaseSubnets",
                resource(
                        "AWS::RDS::DBSubnetGroup",
                        map(
                                "DBSubnetGroupName",
                                stack,
                                "DBSubnetGroupDescription",
                                "Subnets of the database",
                                "SubnetIds",
                                List.of(ref("Subnet"), ref("SecondSubnet")))));
        resources.put(
                "DatabaseAccess",
                resource(
                        "AWS::EC2::SecurityGroup",
                        map(
                                "GroupDescription",
                                "MySQL from the machines",
                                "VpcId",
                                ref("Network"),
                                "SecurityGroupIngress",
                                List.of(map(
                                        "Description",
                                        "MySQL from the machines",
                                        "IpProtocol",
                                        "tcp",
                                        "FromPort",
                                        MYSQL,
                                        "ToPort",
                                        MYSQL,
                                        "SourceSecurityGroupId",
                                        get("Access", "GroupId"))))));
        Map<String, Object> instance = resource(
                "AWS::RDS::DBInstance",
                map(
                        "DBInstanceIdentifier",
                        stack,
                        "DBInstanceClass",
                        database.type(),
                        "Engine",
                        "mysql",
                        "EngineVersion",
                        database.version(),
                        "AllocatedStorage",
                        String.valueOf(database.storageGib()),
                        "StorageType",
                        "gp3",
                        "StorageEncrypted",
                        true,
                        "PubliclyAccessible",
                        false,
                        "MultiAZ",
                        false,
                        "BackupRetentionPeriod",
                        0,
                        "DeleteAutomatedBackups",
                        true,
                        "AutoMinorVersionUpgrade",
                        false,
                        "MasterUsername",
                        "gatebench",
                        "ManageMasterUserPassword",
                        true,
                        "DBSubnetGroupName",
                        ref("DatabaseSubnets"),
                        "VPCSecurityGroups",
                        List.of(get("DatabaseAccess", "GroupId"))));
        instance.put("DeletionPolicy", "Delete");
        instance.put("UpdateReplacePolicy", "Delete");
        resources.put("Database", instance);
    }

    /**
     * Returns the template of the guard: schedules in AWS that delete the stacks of the machines when the time is over,
     * and the role with which they do it, which may touch what carries the tag of the run only.
     *
     * @param at the moment, as {@code 2026-11-21T18:00:00} in UTC
     * @param archive where the machine to which the run is left puts the results; it has no other right than that
     */
    static String guard(String run, List<String> stacks, String at, Optional<ObjectPlace> archive) {
        Map<String, Object> resources = new LinkedHashMap<>();
        List<Object> own = new ArrayList<>();
        for (String stack : stacks) {
            own.add(map(
                    "Fn::Sub",
                    "arn:${AWS::Partition}:cloudformation:${AWS::Region}:${AWS::AccountId}:stack/" + stack + "/*"));
        }
        Map<String, Object> permissions = policy(List.of(
                statement(List.of("cloudformation:DeleteStack", "cloudformation:DescribeStacks"), own),
                tagged(
                        run,
                        List.of(
                                "ec2:TerminateInstances",
                                "ec2:DeleteSubnet",
                                "ec2:DeleteSecurityGroup",
                                "ec2:RevokeSecurityGroupIngress",
                                "ec2:DeleteRouteTable",
                                "ec2:DeleteRoute",
                                "ec2:DisassociateRouteTable",
                                "ec2:DetachInternetGateway",
                                "ec2:DeleteInternetGateway",
                                "ec2:DeleteVpc",
                                "rds:DeleteDBInstance",
                                "rds:DeleteDBSubnetGroup")),
                statement(List.of("ec2:Describe*", "rds:Describe*"), "*")));
        resources.put(
                "TimerRole",
                resource(
                        "AWS::IAM::Role",
                        map(
                                "Path",
                                path(run),
                                "AssumeRolePolicyDocument",
                                trust("scheduler.amazonaws.com"),
                                "Policies",
                                List.of(map("PolicyName", "delete-the-stacks", "PolicyDocument", permissions)))));
        int number = 0;
        for (String stack : stacks) {
            number++;
            resources.put(
                    "Timer" + number,
                    resource(
                            "AWS::Scheduler::Schedule",
                            map(
                                    "Name",
                                    stack,
                                    "Description",
                                    "Deletes the stack " + stack + " when the time of its run is over",
                                    "ScheduleExpression",
                                    "at(" + at + ")",
                                    "FlexibleTimeWindow",
                                    map("Mode", "OFF"),
                                    "Target",
                                    map(
                                            "Arn",
                                            map(
                                                    "Fn::Sub",
                                                    "arn:${AWS::Partition}:scheduler:::aws-sdk:cloudformation:deleteStack"),
                                            "RoleArn",
                                            get("TimerRole", "Arn"),
                                            "Input",
                                            "{\"StackName\": \"" + stack + "\"}"))));
        }
        archive.ifPresent(place -> profile(run, place, resources));
        return template(
                "Removes the machines of a Gatebench run when its time is over",
                Map.of(),
                resources,
                archive.isPresent() ? map(PROFILE, map("Value", ref("ArchiveProfile"))) : Map.of());
    }

    /** Here and not with the machines: the timer's role then needs no rights on roles. */
    private static void profile(String run, ObjectPlace place, Map<String, Object> resources) {
        resources.put(
                "ArchiveRole",
                resource(
                        "AWS::IAM::Role",
                        map(
                                "Path",
                                path(run),
                                "AssumeRolePolicyDocument",
                                trust("ec2.amazonaws.com"),
                                "Policies",
                                List.of(map(
                                        "PolicyName",
                                        "put-the-results",
                                        "PolicyDocument",
                                        policy(List.of(statement(
                                                List.of("s3:PutObject"),
                                                List.of(map(
                                                        "Fn::Sub",
                                                        "arn:${AWS::Partition}:s3:::" + place.bucket() + "/"
                                                                + place.key() + "/*"))))))))));
        resources.put(
                "ArchiveProfile",
                resource("AWS::IAM::InstanceProfile", map("Path", path(run), "Roles", List.of(ref("ArchiveRole")))));
    }

    /** Returns the path of the IAM names of a run. */
    static String path(String run) {
        return "/gatebench/" + run + "/";
    }

    private static Map<String, Object> policy(List<Map<String, Object>> statements) {
        return map("Version", "2012-10-17", "Statement", statements);
    }

    private static Map<String, Object> statement(List<String> actions, Object resources) {
        return map("Effect", "Allow", "Action", actions, "Resource", resources);
    }

    private static Map<String, Object> tagged(String run, List<String> actions) {
        Map<String, Object> statement = statement(actions, "*");
        statement.put("Condition", map("StringEquals", map("aws:ResourceTag/" + RUN_TAG, run)));
        return statement;
    }

    private static Map<String, Object> trust(String service) {
        return map(
                "Version",
                "2012-10-17",
                "Statement",
                List.of(map("Effect", "Allow", "Principal", map("Service", service), "Action", "sts:AssumeRole")));
    }

    private static String template(
            String description,
            Map<String, Object> parameters,
            Map<String, Object> resources,
            Map<String, Object> outputs) {
        Map<String, Object> all = map("AWSTemplateFormatVersion", "2010-09-09", "Description", description);
        if (!parameters.isEmpty()) {
            all.put("Parameters", parameters);
        }
        all.put("Resources", resources);
        if (!outputs.isEmpty()) {
            all.put("Outputs", outputs);
        }
        try {
            return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(all);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a template is plain maps and texts", e);
        }
    }

    private static String half(AwsSettings settings, int which) {
        String base = settings.network().substring(0, settings.network().lastIndexOf('.') + 1);
        return base + 128 * which + "/25";
    }

    private static Map<String, Object> zone(int index) {
        return map("Fn::Select", List.of(index, map("Fn::GetAZs", "")));
    }

    private static Map<String, Object> resource(String type, Map<String, Object> properties) {
        return map("Type", type, "Properties", properties);
    }

    private static Map<String, Object> ref(String name) {
        return map("Ref", name);
    }

    private static Map<String, Object> get(String name, String attribute) {
        return map("Fn::GetAtt", List.of(name, attribute));
    }

    private static Map<String, Object> name(String name) {
        return map("Key", "Name", "Value", name);
    }

    /** Returns the tags of a stack, which CloudFormation puts on everything in it. */
    static Map<String, String> tags(AwsSettings settings, String run, String expires) {
        Map<String, String> tags = new TreeMap<>(settings.tags());
        tags.put(RUN_TAG, run);
        tags.put(EXPIRY_TAG, expires);
        return tags;
    }

    private static Map<String, Object> map(Object... keysAndValues) {
        Map<String, Object> result = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            result.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return result;
    }
}
