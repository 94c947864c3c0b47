/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import io.gatebench.gateways.ProductRegistry;
import io.gatebench.hosts.environment.HostsFile;
import io.gatebench.runner.plan.PlanFile;
import io.gatebench.settings.Suggestion;
import io.gatebench.spi.Product;

/** {@code schema}: what may stand in a settings file, for editors. */
@Command(name = "schema", description = "Print the JSON Schema of a YAML file that this program reads.")
final class SchemaCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Mixin
    private HelpOption help;

    @Parameters(
            paramLabel = "<file>",
            description = "plan, hosts, aws, kubernetes, or a product: what its --gateway-config may hold.")
    private String name;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.print(schema());
        out.flush();
    }

    private String schema() {
        return switch (name) {
            case "plan" -> {
                CommandSpec options = CommandSpec.forAnnotatedObject(new PlanOptions());
                yield PlanFile.schema(key ->
                        String.join("", options.findOption("--" + key.key()).description()));
            }
            case "hosts" -> HostsFile.schema();
            case "aws" -> AwsCommand.provider().settingsSchema();
            case "kubernetes" -> KubernetesCommand.provider().settingsSchema();
            default -> ofProduct();
        };
    }

    private String ofProduct() {
        ProductRegistry registry = ProductRegistry.load();
        return registry.find(name).flatMap(Product::configurationSchema).orElseThrow(() -> {
            List<String> known = new ArrayList<>(List.of("plan", "hosts", "aws", "kubernetes"));
            registry.products().stream()
                    .filter(product -> product.configurationSchema().isPresent())
                    .forEach(product -> known.add(product.name()));
            return CommandException.usage("there is no schema '" + name + "'" + Suggestion.among(name, known));
        });
    }
}
