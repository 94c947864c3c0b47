/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.PrintWriter;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import io.gatebench.gateways.ProductRegistry;
import io.gatebench.model.TestScenario;
import io.gatebench.settings.Suggestion;
import io.gatebench.spi.GatewaySource;
import io.gatebench.spi.Product;
import io.gatebench.spi.Profile;

/** {@code products}: what can be measured. */
@Command(name = "products", description = "List the products and their scenarios.")
final class ProductsCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Mixin
    private HelpOption help;

    @Parameters(arity = "0..1", paramLabel = "<product>", description = "Only this product, with every scenario.")
    private String name;

    @Override
    public void run() {
        ProductRegistry registry = ProductRegistry.load();
        if (name != null && registry.find(name).isEmpty()) {
            throw CommandException.usage("unknown product '" + name + "'" + Suggestion.among(name, registry.names()));
        }
        PrintWriter out = spec.commandLine().getOut();
        for (Product product : registry.products()) {
            if (name == null || name.equals(product.name())) {
                print(product, out);
            }
        }
        out.flush();
    }

    private static void print(Product product, PrintWriter out) {
        out.println(product.name() + ": " + product.description());
        if (product.needsConfiguration()) {
            return;
        }
        java.util.List<String> inPlan = product.defaults(Profile.QUICK).scenarios();
        java.util.Map<String, String> unserved =
                product.gateway(new GatewaySource.BuiltIn()).unserved(product.scenarios());
        for (TestScenario scenario : product.scenarios()) {
            String mark = inPlan.contains(scenario.name()) ? "* " : "  ";
            out.println("  " + mark + scenario.name() + " (" + scenario.displayName() + ", "
                    + (scenario.tls() ? "https " : "http ") + scenario.path() + "): " + scenario.description()
                    + (unserved.containsKey(scenario.name())
                            ? " [not with the built-in gateway: " + unserved.get(scenario.name()) + "]"
                            : ""));
        }
        out.println("  (* = part of the quick profile)");
    }
}
