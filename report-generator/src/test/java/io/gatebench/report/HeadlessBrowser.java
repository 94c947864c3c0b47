/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** A real Chromium without a window, which all tests of a class share: starting it takes longest. */
public final class HeadlessBrowser implements AutoCloseable {

    private static final int PATIENCE_SECONDS = 60;

    private final HttpClient client = HttpClient.newHttpClient();
    private final ObjectMapper json = new ObjectMapper();
    private final Process process;
    private final URI address;

    private HeadlessBrowser(String program, Path work) throws Exception {
        Path profile = Files.createTempDirectory(work, "profile");
        process = new ProcessBuilder(
                        program,
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--remote-debugging-port=0",
                        "--window-size=1400,1000",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Path port = profile.resolve("DevToolsActivePort");
        for (int i = 0; i < PATIENCE_SECONDS * 20 && !(Files.exists(port) && Files.size(port) > 0); i++) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
        address = URI.create("http://127.0.0.1:" + Files.readAllLines(port).get(0) + "/");
    }

    /** Starts the browser of this machine; tests without one are skipped. */
    public static HeadlessBrowser start(Path work) throws Exception {
        Optional<String> found = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .flatMap(directory -> Stream.of("chromium", "chromium-browser", "google-chrome")
                        .map(name -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
        assumeThat(found).as("no Chromium is on the PATH; install chromium").isPresent();
        return new HeadlessBrowser(found.orElseThrow(), work);
    }

    /** Returns the page as the browser has it after its scripts ran; fails if they wrote to the console. */
    public String open(Path page, String fragment) throws Exception {
        try (Session session = session(page, fragment)) {
            String text = session.text("document.documentElement.outerHTML");
            session.saysNothing();
            return text;
        }
    }

    /** Opens a page and waits until its scripts have run; the browser is 1400 units wide. */
    public Session session(Path page, String fragment) throws Exception {
        return new Session(page.toUri() + fragment);
    }

    /** A page that is open, told what to do over the DevTools protocol. */
    public final class Session implements AutoCloseable {

        private final String id;
        private final WebSocket socket;
        private final BlockingQueue<JsonNode> messages = new LinkedBlockingQueue<>();
        private final List<String> said = new ArrayList<>();
        private final StringBuilder partial = new StringBuilder();
        private int last;

        private Session(String page) throws Exception {
            JsonNode tab = json.readTree(ask("PUT", "json/new?about:blank"));
            id = tab.path("id").asText();
            socket = client.newWebSocketBuilder()
                    .buildAsync(URI.create(tab.path("webSocketDebuggerUrl").asText()), new WebSocket.Listener() {
                        @Override
                        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean end) {
                            partial.append(data);
                            if (end) {
                                try {
                                    messages.add(json.readTree(partial.toString()));
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                                partial.setLength(0);
                            }
                            from.request(1);
                            return null;
                        }
                    })
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            call("Runtime.enable", Map.of());
            call("Log.enable", Map.of());
            call("Page.navigate", Map.of("url", page));
            waitFor("document.documentElement.getAttribute('data-ready')==='true'");
        }

        /** Waits until an expression is true. */
        public void waitFor(String expression) throws Exception {
            for (int i = 0; i < PATIENCE_SECONDS * 20; i++) {
                if (evaluate(expression).asBoolean()) {
                    return;
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
            throw new AssertionError("never true: " + expression + "; the console says " + said);
        }

        /** Returns what an expression comes to. */
        public JsonNode evaluate(String expression) throws Exception {
            return call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true))
                    .path("result")
                    .path("value");
        }

        /** Returns the text that an expression comes to. */
        public String text(String expression) throws Exception {
            return evaluate(expression).asText();
        }

        /** Makes the window so wide, and the colours dark or light. */
        public void look(int width, boolean dark) throws Exception {
            call(
                    "Emulation.setDeviceMetricsOverride",
                    Map.of("width", width, "height", 1000, "deviceScaleFactor", 1, "mobile", false));
            call(
                    "Emulation.setEmulatedMedia",
                    Map.of(
                            "features",
                            List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
        }

        /** Drags the mouse from one place to another. */
        public void drag(double fromX, double toX, double y) throws Exception {
            mouse("mouseMoved", fromX, y);
            mouse("mousePressed", fromX, y);
            mouse("mouseMoved", (fromX + toX) / 2, y);
            mouse("mouseMoved", toX, y);
            mouse("mouseReleased", toX, y);
        }

        private void mouse(String type, double x, double y) throws Exception {
            call(
                    "Input.dispatchMouseEvent",
                    Map.of("type", type, "x", x, "y", y, "button", "left", "buttons", 1, "clickCount", 1));
        }

        /** Fails if the page wrote to the console. */
        public void saysNothing() {
            assertThat(said).isEmpty();
        }

        private JsonNode call(String method, Map<String, ?> parameters) throws Exception {
            int id = ++last;
            socket.sendText(json.writeValueAsString(Map.of("id", id, "method", method, "params", parameters)), true)
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            while (true) {
                JsonNode message = messages.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
                if (message == null) {
                    throw new AssertionError("the browser did not answer within " + PATIENCE_SECONDS + " s");
                }
                if (message.path("id").asInt() == id) {
                    assertThat(message.has("error")).as(message.toString()).isFalse();
                    return message.path("result");
                }
                if (message.path("method")
                        .asText()
                        .matches("Runtime.(consoleAPICalled|exceptionThrown)|Log.entryAdded")) {
                    said.add(message.path("params").toString());
                }
            }
        }

        @Override
        public void close() {
            socket.abort();
            ask("GET", "json/close/" + id);
        }
    }

    private String ask(String method, String path) {
        return client.sendAsync(
                        HttpRequest.newBuilder(address.resolve(path))
                                .method(method, HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .join()
                .body();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
    }

    /** Returns how often a text holds another. */
    public static int countOf(String text, String part) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }
}
