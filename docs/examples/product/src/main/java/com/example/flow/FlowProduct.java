package com.example.flow;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.gatebench.model.DataSize;
import io.gatebench.model.ParameterMatrix;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.RunManifest;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TestTiming;
import io.gatebench.model.TokenKind;
import io.gatebench.spi.Gateway;
import io.gatebench.spi.GatewaySource;
import io.gatebench.spi.Product;
import io.gatebench.spi.ProductDefaults;
import io.gatebench.spi.Profile;

/** The gateway Flow for Gatebench: its scenarios, and the measurement where nothing else is asked for. */
public final class FlowProduct implements Product {

    /** The response must be the request, which has the text of its size in it: an error page is no fast success. */
    private static final TestScenario PASSTHROUGH = new TestScenario(
            "passthrough",
            "Passthrough",
            "Forwards a POST to the back end.",
            false,
            "POST",
            "/echo",
            Map.of("Content-Type", "application/json"),
            PayloadKind.JSON_SIMPLE,
            TokenKind.NONE,
            new ResponseCheck(200, Optional.of("{size}B"), true, false),
            List.of());

    @Override
    public String name() {
        return "flow";
    }

    @Override
    public String description() {
        return "Flow, a gateway of one class";
    }

    @Override
    public String applicationName() {
        return "Flow";
    }

    @Override
    public RunManifest.Variant variant() {
        return RunManifest.Variant.GATEWAY;
    }

    @Override
    public List<TestScenario> scenarios() {
        return List.of(PASSTHROUGH);
    }

    @Override
    public ProductDefaults defaults(Profile profile) {
        boolean quick = profile == Profile.QUICK;
        return new ProductDefaults(
                List.of(PASSTHROUGH.name()),
                new ParameterMatrix(
                        List.of(DataSize.parse(quick ? "128M" : "2G")),
                        quick ? List.of(10) : List.of(50, 100, 200, 500),
                        quick ? List.of(1024) : List.of(50, 1024, 10240),
                        List.of(),
                        List.of(),
                        List.of(Duration.ZERO)),
                quick
                        ? ProductDefaults.QUICK_TIMING
                        : new TestTiming(Duration.ofMinutes(15), Duration.ofMinutes(5), Duration.ofMinutes(1)),
                !quick);
    }

    @Override
    public Gateway gateway(GatewaySource source) {
        if (!(source instanceof GatewaySource.BuiltIn)) {
            throw new IllegalArgumentException("product flow is started from its own jar; drop --gateway-url or --gateway-home");
        }
        return new FlowGateway();
    }
}
