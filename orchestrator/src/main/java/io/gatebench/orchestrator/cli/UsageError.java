/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

import io.gatebench.settings.Suggestion;

/** Complaints of the parser, in the form of all other messages: what, the rule, the value. */
final class UsageError {

    private static final Set<Class<?>> WHOLE_NUMBERS = Set.of(int.class, Integer.class, long.class, Long.class);
    private static final Set<Class<?>> BOOLEANS = Set.of(boolean.class, Boolean.class);
    private static final Set<Class<?>> NUMBERS = Set.of(double.class, Double.class);
    private static final Pattern FLAG_WITH_VALUE =
            Pattern.compile("option '(-[^']+)'.* should be specified without '(.*)' parameter");

    private UsageError() {}

    static String text(CommandLine.ParameterException e, List<String> arguments) {
        if (e instanceof CommandLine.UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            return unmatched(unmatched.getUnmatched().get(0), e.getCommandLine());
        }
        if (e instanceof CommandLine.MissingParameterException missing
                && !missing.getMissing().isEmpty()) {
            return missing(missing.getMissing().get(0), e.getCommandLine().getCommandSpec(), arguments);
        }
        if (e instanceof CommandLine.OverwrittenOptionException twice) {
            return name(twice.getOverwritten()) + " is given twice; give it once";
        }
        Matcher flag = FLAG_WITH_VALUE.matcher(String.valueOf(e.getMessage()));
        if (flag.find()) {
            return flag.group(1) + " takes no value but was given '" + flag.group(2) + "'";
        }
        return e.getArgSpec() == null || e.getValue() == null ? e.getMessage() : invalid(e.getArgSpec(), e);
    }

    private static String unmatched(String wrong, CommandLine command) {
        String name = wrong.replaceFirst("=.*", "");
        if (name.startsWith("-")) {
            return "unknown option '" + name + "'"
                    + Suggestion.among(
                            name,
                            command.getCommandSpec().options().stream()
                                    .map(OptionSpec::longestName)
                                    .toList());
        }
        return command.getSubcommands().isEmpty()
                ? "unexpected argument '" + wrong + "'"
                : "unknown command '" + name + "'"
                        + Suggestion.among(name, command.getSubcommands().keySet());
    }

    private static String missing(ArgSpec missing, CommandSpec command, List<String> arguments) {
        if (missing instanceof PositionalParamSpec) {
            int least = missing.arity().min();
            return least > 1
                    ? "'" + command.qualifiedName() + "' needs at least " + least + " of " + missing.paramLabel()
                    : missing.paramLabel() + " is missing: " + decapitalized(String.join(" ", missing.description()));
        }
        boolean given = Arrays.stream(((OptionSpec) missing).names()).anyMatch(arguments::contains);
        return name(missing) + (given ? " needs a value: " : " is missing: ") + name(missing) + "="
                + missing.paramLabel();
    }

    private static String invalid(ArgSpec arg, CommandLine.ParameterException e) {
        String rule = rule(arg);
        if (!rule.isEmpty()) {
            return name(arg) + " must be " + rule + " but was '" + e.getValue() + "'";
        }
        Throwable cause = e.getCause();
        return name(arg) + ": "
                + (cause instanceof CommandLine.TypeConversionException ? cause.getMessage() : e.getMessage());
    }

    private static String rule(ArgSpec arg) {
        Class<?> type = arg.auxiliaryTypes()[0];
        if (Map.class.isAssignableFrom(arg.type())) {
            return arg.paramLabel();
        }
        if (arg.converters().length > 0) {
            return "";
        }
        if (type.isEnum()) {
            List<String> words = words(arg);
            return words.size() == 1
                    ? words.get(0)
                    : words.stream().limit(words.size() - 1).collect(Collectors.joining(", ")) + " or "
                            + words.get(words.size() - 1);
        }
        return WHOLE_NUMBERS.contains(type)
                ? "a whole number"
                : NUMBERS.contains(type)
                        ? "a number"
                        : BOOLEANS.contains(type) ? "true or false" : type == URI.class ? "a URL" : "";
    }

    /** Returns the values of an option that has only some, as its help writes them. */
    static List<String> words(ArgSpec arg) {
        String help = String.join(" ", arg.description());
        return Arrays.stream(arg.auxiliaryTypes()[0].getEnumConstants())
                .map(Object::toString)
                .map(word -> help.contains(word) ? word : word.toLowerCase(Locale.ROOT))
                .toList();
    }

    private static String name(ArgSpec arg) {
        return arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel();
    }

    private static String decapitalized(String text) {
        return text.isEmpty() ? text : Character.toLowerCase(text.charAt(0)) + text.substring(1);
    }
}
