/* SPDX-License-Identifier: Apache-2.0 */
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** A headless Chromium that is told what to do over its DevTools protocol. */
final class Browser implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int ANSWER_SECONDS = 60;

    private final Path profile;
    private final Process process;
    private final WebSocket socket;
    private final BlockingQueue<JsonNode> messages = new LinkedBlockingQueue<>();
    private final StringBuilder partial = new StringBuilder();
    private int last;

    Browser() throws Exception {
        profile = Files.createTempDirectory("gatebench-browser");
        process = new ProcessBuilder(
                        System.getProperty("chromium", "chromium"),
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "--window-size=1366,900",
                        "about:blank")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Path portFile = profile.resolve("DevToolsActivePort");
        for (int i = 0; i < 300 && !(Files.exists(portFile) && Files.size(portFile) > 0); i++) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
        String port = Files.readAllLines(portFile).get(0);
        HttpClient http = HttpClient.newHttpClient();
        JsonNode targets = JSON.readTree(URI.create("http://127.0.0.1:" + port + "/json").toURL());
        String page = "";
        for (JsonNode target : targets) {
            if (target.path("type").asText().equals("page")) {
                page = target.path("webSocketDebuggerUrl").asText();
            }
        }
        socket = http.newWebSocketBuilder()
                .buildAsync(URI.create(page), new WebSocket.Listener() {
                    @Override
                    public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean end) {
                        partial.append(data);
                        if (end) {
                            try {
                                messages.add(JSON.readTree(partial.toString()));
                            } catch (IOException e) {
                                throw new IllegalStateException(e);
                            }
                            partial.setLength(0);
                        }
                        webSocket.request(1);
                        return null;
                    }
                })
                .get(30, TimeUnit.SECONDS);
        call("Page.enable", Map.of());
        call("Runtime.enable", Map.of());
        call("Log.enable", Map.of());
        call("Network.enable", Map.of());
    }

    /** What the console and the log said since the page was opened. */
    final List<String> console = new java.util.ArrayList<>();
    /** Addresses that the page asked for, itself apart. */
    final List<String> requests = new java.util.ArrayList<>();

    JsonNode call(String method, Map<String, ?> parameters) throws Exception {
        int id = ++last;
        socket.sendText(JSON.writeValueAsString(Map.of("id", id, "method", method, "params", parameters)), true)
                .get(30, TimeUnit.SECONDS);
        while (true) {
            JsonNode message = next();
            if (message.path("id").asInt() == id) {
                if (message.has("error")) {
                    throw new IllegalStateException(method + ": " + message.path("error"));
                }
                return message.path("result");
            }
        }
    }

    /** Opens an address and waits for its load event. */
    void open(String address) throws Exception {
        console.clear();
        requests.clear();
        call("Page.navigate", Map.of("url", "about:blank"));
        call("Page.navigate", Map.of("url", address));
        for (int i = 0; i < 600; i++) {
            if (evaluate("document.readyState==='complete' && location.href!=='about:blank'").asBoolean()) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        throw new IllegalStateException(address + " did not load");
    }

    JsonNode evaluate(String script) throws Exception {
        return call("Runtime.evaluate", Map.of("expression", script, "returnByValue", true))
                .path("result")
                .path("value");
    }

    private JsonNode next() throws InterruptedException {
        JsonNode message = messages.poll(ANSWER_SECONDS, TimeUnit.SECONDS);
        if (message == null) {
            throw new IllegalStateException("the browser did not answer within " + ANSWER_SECONDS + " s");
        }
        String method = message.path("method").asText();
        if (method.equals("Runtime.consoleAPICalled")
                || method.equals("Runtime.exceptionThrown")
                || method.equals("Log.entryAdded")) {
            console.add(message.path("params").toString());
        } else if (method.equals("Network.requestWillBeSent")) {
            requests.add(message.path("params").path("request").path("url").asText());
        }
        return message;
    }

    @Override
    public void close() throws Exception {
        socket.abort();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        try (java.util.stream.Stream<Path> files = Files.walk(profile)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // A helper process may still write into the profile, which lies in the system's temporary directory.
        }
    }
}
