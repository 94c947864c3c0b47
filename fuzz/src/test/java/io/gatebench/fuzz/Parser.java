/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.fuzz;

import java.io.IOException;
import java.util.Locale;

import io.gatebench.aws.AwsSettingsTarget;
import io.gatebench.echo.Http1Target;
import io.gatebench.echo.Http2Target;
import io.gatebench.gateways.http.GatewayFileTarget;
import io.gatebench.gateways.importer.ImportTarget;
import io.gatebench.gc.GcLogTarget;
import io.gatebench.jtl.JtlTarget;
import io.gatebench.load.engine.http.AnswerTarget;
import io.gatebench.report.CsvTarget;
import io.gatebench.report.MarkdownTarget;
import io.gatebench.report.ResultTarget;
import io.gatebench.report.RunInfoTarget;
import io.gatebench.report.ThresholdsTarget;
import io.gatebench.report.ToolTarget;
import io.gatebench.runner.plan.PlanTarget;

/**
 * The parsers that see bytes of others, each with its target: a class with the method that Jazzer looks for.
 *
 * <p>A target throws where its parser does anything but read the input or refuse it by its own exception.
 */
enum Parser {
    ANSWER(AnswerTarget.class, AnswerTarget::fuzzerTestOneInput),
    AWS_SETTINGS(AwsSettingsTarget.class, AwsSettingsTarget::fuzzerTestOneInput),
    CSV(CsvTarget.class, CsvTarget::fuzzerTestOneInput),
    ECHO_HTTP1(Http1Target.class, Http1Target::fuzzerTestOneInput),
    ECHO_HTTP2(Http2Target.class, Http2Target::fuzzerTestOneInput),
    GATEWAY_FILE(GatewayFileTarget.class, GatewayFileTarget::fuzzerTestOneInput),
    GC_LOG(GcLogTarget.class, GcLogTarget::fuzzerTestOneInput),
    HOSTS(HostsTarget.class, HostsTarget::fuzzerTestOneInput),
    IMPORT(ImportTarget.class, ImportTarget::fuzzerTestOneInput),
    JTL(JtlTarget.class, JtlTarget::fuzzerTestOneInput),
    MARKDOWN(MarkdownTarget.class, MarkdownTarget::fuzzerTestOneInput),
    PLAN(PlanTarget.class, PlanTarget::fuzzerTestOneInput),
    RESULT(ResultTarget.class, ResultTarget::fuzzerTestOneInput),
    RUN_INFO(RunInfoTarget.class, RunInfoTarget::fuzzerTestOneInput),
    THRESHOLDS(ThresholdsTarget.class, ThresholdsTarget::fuzzerTestOneInput),
    TOOL(ToolTarget.class, ToolTarget::fuzzerTestOneInput);

    private interface Input {
        void tryOne(byte[] bytes) throws IOException;
    }

    private final Class<?> target;
    private final Input input;

    Parser(Class<?> target, Input input) {
        this.target = target;
        this.input = input;
    }

    /** Returns the name of its directory in the corpus. */
    String directory() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Class<?> target() {
        return target;
    }

    void tryOne(byte[] bytes) throws IOException {
        input.tryOne(bytes);
    }
}
