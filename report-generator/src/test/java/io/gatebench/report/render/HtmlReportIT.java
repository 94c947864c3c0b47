/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.model.DataSize;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.ParameterMatrix;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.PerfPlan;
import io.gatebench.model.RunManifest;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.report.HeadlessBrowser;
import io.gatebench.report.HeadlessBrowser.Session;
import io.gatebench.report.ReportGenerator;
import io.gatebench.report.SampleRuns;
import io.gatebench.report.options.ReportOptions;
import io.gatebench.report.results.ResultsDirectory;

/** The page in a real browser: what its scripts make of it, and that nothing is asked of the network. */
class HtmlReportIT {

    private static final String EVIL =
            "<img src=x onerror=document.title='owned'></script><script>document.title='owned'</script>";

    private static final String CASE = "#cell=passthrough%2F2G_heap%2F100_users%2F50B%2F0ms_sleep";

    /** Texts whose contrast with what lies behind them is below 4.5 to 1. */
    private static final String WEAK_CONTRAST = """
            (function(){
              function rgb(c){return (c.match(/[\\d.]+/g)||[]).map(Number);}
              function light(c){return [0,1,2].map(function(i){var v=c[i]/255;return v<=0.03928?v/12.92:Math.pow((v+0.055)/1.055,2.4);}).reduce(function(s,v,i){return s+v*[0.2126,0.7152,0.0722][i];},0);}
              function behind(e){for(;e;e=e.parentElement){var c=rgb(getComputedStyle(e).backgroundColor);if(c.length===3||c[3]===1)return c;}return [255,255,255];}
              var weak=[];
              Array.prototype.forEach.call(document.querySelectorAll('body *'),function(e){
                if(!e.offsetParent||!Array.prototype.some.call(e.childNodes,function(n){return n.nodeType===3&&n.textContent.trim();}))return;
                var a=light(rgb(getComputedStyle(e).color)),b=light(behind(e)),ratio=(Math.max(a,b)+0.05)/(Math.min(a,b)+0.05);
                if(ratio<4.5)weak.push(e.tagName+' '+e.className+' '+e.textContent.slice(0,30)+' '+ratio.toFixed(2));
              });
              return weak.join('; ');
            })()""";

    /** What can be operated and has no name for a screen reader. */
    private static final String NAMELESS =
            "Array.from(document.querySelectorAll('button,select,input,[tabindex],a[href]')).filter(function(e){"
                    + "return !(e.getAttribute('aria-label')||e.getAttribute('aria-labelledby')||e.textContent.trim()"
                    + "||e.labels&&e.labels.length);}).map(function(e){return e.outerHTML;}).join()";

    private static HeadlessBrowser browser;

    @TempDir
    private Path temporary;

    @BeforeAll
    static void startTheBrowser(@TempDir Path work) throws Exception {
        browser = HeadlessBrowser.start(work);
    }

    @AfterAll
    static void endTheBrowser() {
        if (browser != null) {
            browser.close();
        }
    }

    @Test
    void drawsTheOverviewAndCountsTheRows() throws Exception {
        String page = browser.open(report(), "");

        assertThat(page)
                .contains("data-ready=\"true\"")
                .contains("8 of 8 test cases")
                .contains("Passthrough: throughput", "99th percentile");
        assertThat(HeadlessBrowser.countOf(page, "class=\"chart\"")).isEqualTo(4);
    }

    @Test
    void opensTheCaseThatThePermalinkNames() throws Exception {
        String id = "passthrough/2G_heap/100_users/50B/0ms_sleep";
        try (Session page = browser.session(report(), "#cell=" + URLEncoder.encode(id, StandardCharsets.UTF_8))) {
            page.waitFor("document.documentElement.getAttribute('data-case')==='" + id + "'");

            assertThat(page.text("document.getElementById('detail').textContent"))
                    .startsWith("\n" + id)
                    .contains("Response time by percentile")
                    .contains("measurement window")
                    .contains("GC of the WSO2 API Manager: heap and pauses")
                    .contains("Processor by process", "gateway", "load generator", "steal")
                    .contains("Heat map of response times", "Histogram of response times", "p90")
                    .contains("-Xmx2g")
                    .contains("Errors over time", "status 500", "connection reset")
                    .contains("<script>alert(");
            page.saysNothing();
        }
    }

    /** One session, because starting the browser takes longest: what a reader does to a case, and what the link keeps. */
    @Test
    void zoomsAllChartsOfACaseAndKeepsInTheAddressWhatIsSeen() throws Exception {
        Path report = report();
        String link;
        try (Session page = browser.session(report, CASE)) {
            page.waitFor("document.querySelectorAll('#detail canvas').length>2");
            page.evaluate(
                    "document.querySelector('[data-chart=times]').scrollIntoView({block:'center',behavior:'instant'})");
            // What is still laid out above it moves it away under the pointer.
            page.waitFor(
                    "(function(){var b=document.querySelector('[data-chart=times] .u-over').getBoundingClientRect(),"
                            + "now=[b.left,b.top,b.width,b.height].join(),same=window.lastPlace===now;window.lastPlace=now;"
                            + "return same;})()");
            JsonNode plot = page.evaluate("(function(){var b=document.querySelector('[data-chart=times] .u-over')"
                    + ".getBoundingClientRect();return {x:b.left,y:b.top,w:b.width,h:b.height};})()");
            double x = plot.path("x").asDouble();
            double width = plot.path("w").asDouble();

            page.drag(
                    x + width * 0.2,
                    x + width * 0.6,
                    plot.path("y").asDouble() + plot.path("h").asDouble() / 2);
            page.waitFor("gb.view.get('zoom')!==null");
            page.evaluate("document.querySelector('[data-chart=times] .legend button').click()");
            page.evaluate("document.querySelector('[data-chart=rate] .tools button').click()");
            page.evaluate("document.querySelector('.menu input').click()");

            assertThat(page.evaluate("document.querySelector('#table thead th').hidden")
                            .asBoolean())
                    .isTrue();
            assertThat(page.evaluate("gb.group('case').range.map(Math.round).join()===gb.view.get('zoom')"
                                    + ".split('_').map(Math.round).join()")
                            .asBoolean())
                    .isTrue();
            link = page.text("location.hash");
            page.saysNothing();
        }

        try (Session page = browser.session(report, link)) {
            page.waitFor("document.querySelectorAll('#detail canvas').length>2");

            assertThat(page.text("document.querySelector('[data-chart=times] .legend button')"
                            + ".getAttribute('aria-pressed')"))
                    .isEqualTo("false");
            assertThat(page.text("document.querySelector('[data-chart=rate] .tools button')"
                            + ".getAttribute('aria-pressed')"))
                    .isEqualTo("true");
            assertThat(page.evaluate("document.querySelector('#table thead th').hidden")
                            .asBoolean())
                    .isTrue();
            assertThat(page.evaluate("gb.group('case').range!==null&&!Array.from(document.querySelectorAll("
                                    + "'#detail .controls button')).some(function(b){return b.hidden;})")
                            .asBoolean())
                    .isTrue();
            page.evaluate("document.querySelector('[data-chart=times] .plot').dispatchEvent("
                    + "new KeyboardEvent('keydown',{key:'ArrowRight'}))");
            assertThat(page.text("document.querySelector('.aside[role=status]').textContent"))
                    .contains("p99 ", " s: ");
            for (int width : new int[] {420, 1400}) {
                page.look(width, width == 420);
                page.waitFor("innerWidth===" + width);
                assertThat(page.evaluate("document.documentElement.scrollWidth").asInt())
                        .isLessThanOrEqualTo(width);
                assertThat(page.text(WEAK_CONTRAST)).isEmpty();
            }
            assertThat(page.text(NAMELESS)).isEmpty();
            page.saysNothing();
        }
    }

    @Test
    void holdsTheLargestPublishedMatrix() throws Exception {
        RunManifest info = SampleRuns.local();
        List<Integer> users = List.of(50, 100, 200, 300, 500, 1000);
        PerfPlan plan = SampleRuns.plan(
                info.plan().scenarios(),
                new ParameterMatrix(
                        info.plan().matrix().heaps(),
                        users,
                        List.of(50, 1024, 10240),
                        List.of(),
                        List.of(),
                        Stream.of(0, 30, 500, 1000).map(Duration::ofMillis).toList()),
                60,
                10);
        ResultsDirectory results = ResultsDirectory.create(
                temporary.resolve("many"), SampleRuns.info("Many rows", RunManifest.Variant.GATEWAY, plan, "local"));
        for (TestScenario scenario : plan.scenarios()) {
            for (int count : users) {
                for (int size : plan.matrix().messageSizes()) {
                    for (Duration delay : plan.matrix().backendDelays()) {
                        TestCase testCase = new TestCase(
                                scenario.name(), DataSize.parse("2G"), count, MessageLevel.bytes(size), delay);
                        results.write(SampleRuns.completed(testCase, 1000 + count, 0));
                    }
                }
            }
        }
        ReportGenerator.generate(
                results, results.root(), ReportOptions.defaults().withCharts(ReportOptions.Charts.NONE));

        String page = browser.open(results.root().resolve("index.html"), "");

        assertThat(page).contains("data-ready=\"true\"").contains("144 of 144 test cases");
        assertThat(HeadlessBrowser.countOf(page, "<tr id=\"row-")).isEqualTo(144);
    }

    @Test
    void runsNothingThatCameFromOutside() throws Exception {
        RunManifest info = SampleRuns.local();
        PerfPlan evil = SampleRuns.plan(
                List.of(SampleRuns.scenario("passthrough", EVIL, EVIL, PayloadKind.JSON_ARRAY)),
                info.plan().matrix(),
                60,
                10);
        ResultsDirectory results = ResultsDirectory.create(
                temporary.resolve("evil"), SampleRuns.info(EVIL, RunManifest.Variant.GATEWAY, evil, "local"));
        results.write(SampleRuns.completed(SampleRuns.testCase("passthrough", 50, 50), 1000, 500));
        ReportGenerator.generate(
                results, results.root(), ReportOptions.defaults().withCharts(ReportOptions.Charts.NONE));

        String page = browser.open(
                results.root().resolve("index.html"), "#cell=passthrough%2F2G_heap%2F50_users%2F50B%2F0ms_sleep");

        assertThat(page)
                .contains("data-ready=\"true\"")
                .doesNotContain("<title>owned")
                .doesNotContain("<img");
    }

    @Test
    void namesNoOtherHost() throws IOException {
        String page = Files.readString(report());

        Matcher urls = Pattern.compile("(?:src|href|url\\(|@import)\\s*=?\\s*[\"'(]?\\s*(https?:)?//")
                .matcher(page);
        assertThat(urls.find()).isFalse();
        assertThat(page).contains("default-src 'none'");
    }

    private Path report() throws IOException {
        ResultsDirectory results = ResultsDirectory.create(temporary.resolve("results"), SampleRuns.local());
        SampleRuns.results().forEach(results::write);
        TestCase testCase = SampleRuns.testCase("passthrough", 100, 50);
        Path directory = results.caseDirectory(testCase, 1);
        Files.createDirectories(directory.resolve("load"));
        Files.createDirectories(directory.resolve("gateway"));
        Histogram histogram = new Histogram(3);
        for (int micros = 1; micros <= 20_000; micros++) {
            histogram.recordValue(micros);
        }
        histogram.setTag("HTTP_Request/success/measurement");
        try (PrintStream out =
                new PrintStream(directory.resolve("load/load.hlog").toFile(), StandardCharsets.UTF_8)) {
            HistogramLogWriter log = new HistogramLogWriter(out);
            log.outputLogFormatVersion();
            log.outputLegend();
            log.outputIntervalHistogram(histogram);
        }
        long start = SampleRuns.START.toEpochMilli();
        Files.writeString(
                directory.resolve("load/times.csv"),
                "second,p90Millis,1.000,1.259,1.585\n0,1.500,10,20,3\n1,1.200,12,19,\n2,1.400,,4,9\n");
        Files.writeString(directory.resolve("load/errors.csv"), "second,errors,kind\n1,3,\"connection reset\"\n");
        StringBuilder metrics = new StringBuilder("epochMillis,CPU - User (%),CPU - Nice (%),CPU - System (%),"
                + "CPU - Steal (%),Process - CPU (% of all processors),Process - Resident memory (kB),"
                + "Memory - Used (kB),Network - Received kB/s,Network - Transmitted kB/s,Run queue length\n");
        for (int second = 0; second < 30; second++) {
            metrics.append(start + second * 1000L).append(",60,0,10,1,25,300000,2000000,500,600,3\n");
        }
        for (String role : List.of("gateway", "backend", "load")) {
            Files.createDirectories(directory.resolve(role));
            Files.writeString(directory.resolve(role).resolve("metrics.csv"), metrics);
        }
        Files.writeString(
                directory.resolve("gateway/gc-events.csv"),
                "epochMillis,uptimeSeconds,kind,pauseMillis,heapBeforeBytes,heapAfterBytes,heapCapacityBytes\n"
                        + (start + 5_000) + ",5,young,3.5,400000000,90000000,2147483648\n" + (start + 20_000)
                        + ",20,young,4.5,410000000,95000000,2147483648\n");
        ReportGenerator.generate(
                results, results.root(), ReportOptions.defaults().withCharts(ReportOptions.Charts.NONE));
        return results.root().resolve("index.html");
    }
}
