package com.example.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.ServiceLoader;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.gatebench.model.TestScenario;
import io.gatebench.spi.Product;
import io.gatebench.spi.Profile;

class FlowProductTest {

    @Test
    void isFoundAsAService() {
        assertTrue(ServiceLoader.load(Product.class).stream().anyMatch(found -> found.type() == FlowProduct.class));
    }

    @ParameterizedTest
    @EnumSource(Profile.class)
    void measuresScenariosThatItHas(Profile profile) {
        Product flow = new FlowProduct();
        List<String> names = flow.scenarios().stream().map(TestScenario::name).toList();

        assertEquals(names, flow.defaults(profile).scenarios());
    }
}
