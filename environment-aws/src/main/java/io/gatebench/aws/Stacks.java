/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.cloudformation.model.AlreadyExistsException;
import software.amazon.awssdk.services.cloudformation.model.Capability;
import software.amazon.awssdk.services.cloudformation.model.DeletionMode;
import software.amazon.awssdk.services.cloudformation.model.OnFailure;
import software.amazon.awssdk.services.cloudformation.model.Output;
import software.amazon.awssdk.services.cloudformation.model.Parameter;
import software.amazon.awssdk.services.cloudformation.model.Stack;
import software.amazon.awssdk.services.cloudformation.model.StackEvent;
import software.amazon.awssdk.services.cloudformation.model.Tag;

import io.gatebench.model.cloud.CloudException;

/**
 * Creates and deletes stacks and follows them by their events.
 *
 * <p>The SDK's own waiters are not used: they wait through a whole rollback, do not say what failed, and die of expired
 * credentials.
 */
final class Stacks {

    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(5);
    private static final Duration MAX_CREATION = Duration.ofMinutes(40);
    private static final Duration MAX_DELETION = Duration.ofMinutes(30);
    private static final int CREATION_MINUTES = 35;

    private final Aws aws;

    Stacks(Aws aws) {
        this.aws = aws;
    }

    /** Asks for a stack; one of the same run that is there already, as after a repeated call, is taken as it is. */
    void create(String name, String template, Map<String, String> parameters, Map<String, String> tags) {
        aws.call("the stack " + name + " cannot be created", clients -> {
            try {
                return clients.stacks()
                        .createStack(request -> request.stackName(name)
                                .templateBody(template)
                                .clientRequestToken(name)
                                .onFailure(OnFailure.DELETE)
                                .timeoutInMinutes(CREATION_MINUTES)
                                .capabilities(Capability.CAPABILITY_IAM)
                                .parameters(parameters.entrySet().stream()
                                        .map(entry -> Parameter.builder()
                                                .parameterKey(entry.getKey())
                                                .parameterValue(entry.getValue())
                                                .build())
                                        .toList())
                                .tags(tags.entrySet().stream()
                                        .map(entry -> Tag.builder()
                                                .key(entry.getKey())
                                                .value(entry.getValue())
                                                .build())
                                        .toList()))
                        .stackId();
            } catch (AlreadyExistsException e) {
                String run = tags.get(StackTemplate.RUN_TAG);
                if (find(name)
                        .filter(stack -> run.equals(tag(stack, StackTemplate.RUN_TAG)))
                        .isPresent()) {
                    return name;
                }
                throw e;
            }
        });
    }

    /**
     * Follows stacks until all are complete.
     *
     * @throws CloudException at the first failed resource, with the reasons that AWS gives
     */
    void await(List<String> names) {
        Instant deadline = aws.clock().instant().plus(MAX_CREATION);
        Set<String> complete = new HashSet<>();
        Set<String> seen = new HashSet<>();
        while (complete.size() < names.size()) {
            for (String name : names) {
                if (complete.contains(name)) {
                    continue;
                }
                List<String> reasons = follow(name, seen);
                Optional<Stack> stack = find(name);
                String status = stack.map(Stack::stackStatusAsString).orElse("gone");
                if (!reasons.isEmpty()) {
                    throw CloudException.failed("the stack " + name + " failed: " + String.join("; ", reasons));
                }
                if (status.equals("CREATE_COMPLETE")) {
                    complete.add(name);
                } else if (!status.equals("CREATE_IN_PROGRESS") && !status.equals("REVIEW_IN_PROGRESS")) {
                    String why = stack.map(Stack::stackStatusReason).orElse("someone has removed it");
                    throw CloudException.failed("the stack " + name + " is " + status + ": " + why);
                }
            }
            if (complete.size() < names.size()) {
                waitUntil(
                        deadline,
                        "the stacks " + names + " were not complete after " + MAX_CREATION.toMinutes() + " min");
            }
        }
    }

    private void waitUntil(Instant deadline, String message) {
        if (aws.clock().instant().isAfter(deadline)) {
            throw CloudException.failed(message);
        }
        if (Thread.currentThread().isInterrupted()) {
            throw CloudException.failed("interrupted while waiting for AWS");
        }
        aws.pause().of(BETWEEN_LOOKS);
    }

    /** Tells the new events and returns the reasons of failures among them. */
    private List<String> follow(String name, Set<String> seen) {
        List<StackEvent> events = new ArrayList<>(aws.call("the events of the stack " + name, clients -> {
            try {
                return clients.stacks()
                        .describeStackEvents(request -> request.stackName(name))
                        .stackEvents();
            } catch (AwsServiceException e) {
                if (isMissing(e)) {
                    return List.of();
                }
                throw e;
            }
        }));
        // AWS gives the newest first.
        Collections.reverse(events);
        List<String> reasons = new ArrayList<>();
        for (StackEvent event : events) {
            if (!seen.add(event.eventId())) {
                continue;
            }
            String status = event.resourceStatusAsString();
            aws.listener().note(name + ": " + event.logicalResourceId() + " " + status);
            String reason = String.valueOf(event.resourceStatusReason());
            if (status != null && status.endsWith("CREATE_FAILED") && !reason.contains("cancelled")) {
                reasons.add(event.logicalResourceId() + " (" + event.resourceType() + "): " + reason);
            }
        }
        return reasons;
    }

    /** Returns a stack that is not deleted. */
    Optional<Stack> find(String name) {
        return aws.call("the stack " + name + " cannot be looked at", clients -> {
            try {
                return clients.stacks().describeStacks(request -> request.stackName(name)).stacks().stream()
                        .filter(stack -> !stack.stackStatusAsString().equals("DELETE_COMPLETE"))
                        .findFirst();
            } catch (AwsServiceException e) {
                if (isMissing(e)) {
                    return Optional.empty();
                }
                throw e;
            }
        });
    }

    /**
     * Returns an output of a stack.
     *
     * @throws CloudException if it has none of that name
     */
    String output(String name, String key) {
        return find(name).stream()
                .flatMap(stack -> stack.outputs().stream())
                .filter(output -> output.outputKey().equals(key))
                .map(Output::outputValue)
                .findFirst()
                .orElseThrow(() -> CloudException.failed("the stack " + name + " has no output " + key));
    }

    private static boolean isMissing(AwsServiceException e) {
        return Aws.code(e).equals("ValidationError")
                && String.valueOf(e.awsErrorDetails().errorMessage()).contains("does not exist");
    }

    static String tag(Stack stack, String key) {
        return stack.tags().stream()
                .filter(tag -> tag.key().equals(key))
                .map(Tag::value)
                .findFirst()
                .orElse("");
    }

    /**
     * Deletes stacks and follows them until they are gone, cannot be deleted, or the time is over; what is left then is
     * for the sweep.
     */
    void delete(List<String> names) {
        Instant deadline = aws.clock().instant().plus(MAX_DELETION);
        List<String> open = new ArrayList<>(names);
        Set<String> forced = new HashSet<>();
        open.removeIf(name -> !request(name, false));
        while (!open.isEmpty()) {
            open.removeIf(name -> {
                String status = find(name).map(Stack::stackStatusAsString).orElse("gone");
                if (status.equals("gone")) {
                    aws.listener().note("the stack " + name + " is deleted");
                    return true;
                }
                if (status.equals("DELETE_FAILED")) {
                    return !forced.add(name) || !request(name, true);
                }
                return false;
            });
            if (open.isEmpty() || aws.clock().instant().isAfter(deadline)) {
                return;
            }
            aws.pause().of(BETWEEN_LOOKS);
        }
    }

    private boolean request(String name, boolean force) {
        try {
            aws.call(
                    "the stack " + name + " cannot be deleted",
                    clients -> clients.stacks().deleteStack(request -> {
                        request.stackName(name);
                        if (force) {
                            request.deletionMode(DeletionMode.FORCE_DELETE_STACK);
                        }
                    }));
            return true;
        } catch (CloudException e) {
            aws.listener().note(e.getMessage() + "; going on to remove its resources one by one");
            return false;
        }
    }
}
