/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Makes a class one of performance tests of a gateway, or a method such a test; annotations of one's own may carry it.
 *
 * <p>Its test methods may have parameters of these types:
 *
 * <ul>
 *   <li>{@link io.gatebench.runner.GatewayBenchmark.Builder}: a test of the product, whose results go into the results
 *       directory of the test method
 *   <li>{@link io.gatebench.runner.EchoBackend}: a running back end, a process of its own on a free port of the loopback address
 *   <li>{@link io.gatebench.runner.StartedGateway}: the product, running, in front of that back end
 *   <li>{@link io.gatebench.load.engine.token.TokenPool}: tokens that this gateway accepts
 *   <li>{@link java.nio.file.Path} with {@link ResultsPath}: the results directory
 * </ul>
 *
 * <p>What was started for a method is stopped after it. Results are in {@code target/gatebench/<class>/<method>/}, those
 * of its measurements in {@code run-1}, {@code run-2} and so on; what an earlier execution of the method left there is
 * removed. The configuration parameter {@value #RESULTS_PROPERTY}, also as a system property, names another directory than
 * {@code target/gatebench}.
 *
 * <p>A measurement needs the machine to itself: where tests are run in parallel, such a class runs while no other does.
 * A method with it in a class without it is refused where tests run in parallel. Two JVMs that measure wait for each other, see {@link io.gatebench.runner.GatewayBenchmark}. The classes have the tag
 * {@code perf}.
 *
 * @since 0.1
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@Tag("perf")
@Isolated("a measurement needs the machine to itself")
@Execution(ExecutionMode.SAME_THREAD)
@ExtendWith(GatewayPerfExtension.class)
public @interface GatewayPerfTest {

    /** The configuration parameter with the directory for results. */
    String RESULTS_PROPERTY = "gatebench.results";

    /** Returns the product's name; {@code http} with a {@link #gatewayConfig}. */
    String product() default "apim";

    /** Returns the file that describes the gateway of the product {@code http}; empty for other products. */
    String gatewayConfig() default "";

    /** Returns the base URL of a gateway that runs already; empty to have it started. */
    String gatewayUrl() default "";

    /** Returns the scenarios; those of the product's profile {@code quick} if empty. */
    String[] scenarios() default {};
}
