/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.results;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.JsonGeneratorDelegate;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.databind.util.StdConverter;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;

import io.gatebench.model.DataSize;
import io.gatebench.model.GatewayCpus;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.Probe;
import io.gatebench.model.RunManifest;
import io.gatebench.model.TestCaseResult;

/**
 * The JSON form of a run's records: the only file that knows it.
 *
 * <p>A measured figure is a number, an absent one {@code {"absent": "<reason>"}}; sizes are texts such as {@code 2G},
 * times ISO-8601; a result carries {@code outcome} ({@code completed}, {@code failed} or {@code skipped}). Members are
 * written in the order of the records, maps and sets sorted, so that equal records give equal bytes. Members that this
 * version does not know are skipped, and missing collections are empty: within one schema version records only grow.
 */
final class ResultsJson {

    private static final DefaultIndenter INDENTER = new DefaultIndenter("  ", "\n");
    private static final int FORM_BYTES = 1 << 18;

    private final ObjectMapper mapper;
    private final ObjectWriter writer;
    private final ObjectWriter forms;

    ResultsJson() {
        SimpleModule figures = new SimpleModule()
                .addSerializer(MeasuredValue.class, new FigureSerializer())
                .addDeserializer(MeasuredValue.class, new FigureDeserializer())
                .addSerializer(DataSize.class, ToStringSerializer.instance)
                .addDeserializer(DataSize.class, new TextDeserializer<>(DataSize.class, DataSize::parse))
                .addSerializer(GatewayCpus.class, ToStringSerializer.instance)
                .addDeserializer(GatewayCpus.class, new TextDeserializer<>(GatewayCpus.class, GatewayCpus::parse));
        mapper = JsonMapper.builder()
                .addModule(new Jdk8Module())
                .addModule(new JavaTimeModule())
                .addModule(figures)
                .addMixIn(TestCaseResult.class, ResultForm.class)
                .addMixIn(Probe.class, ProbeForm.class)
                .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .withConfigOverride(List.class, o -> o.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
                .withConfigOverride(Map.class, o -> o.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
                .withConfigOverride(Set.class, o -> o.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
                .build();
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter().withObjectIndenter(INDENTER);
        writer = mapper.writer(printer);
        forms = mapper.writerFor(TestCaseResult.class);
    }

    String write(RunManifest info) {
        return text(mapper.valueToTree(info));
    }

    String write(TestCaseResult result) {
        return text(tree(result));
    }

    /** Returns a result as a tree with the schema version as its first member. */
    ObjectNode tree(TestCaseResult result) {
        ObjectNode node = mapper.createObjectNode().put("schemaVersion", RunManifest.SCHEMA_VERSION);
        // convertValue through the base type: the discriminator is only written for the declared type.
        node.setAll((ObjectNode) mapper.valueToTree(result));
        return node;
    }

    /** Begins the document of a whole run; makes no tree of its results, each of which has a figure for every second. */
    WholeJson whole(RunManifest info, OutputStream out) throws IOException {
        JsonGenerator head = writer.createGenerator(out).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        head.writeStartObject();
        head.writeNumberField("schemaVersion", RunManifest.SCHEMA_VERSION);
        head.writeFieldName("run");
        mapper.writeTree(head, mapper.valueToTree(info));
        head.writeArrayFieldStart("cells");
        head.flush();
        return new WholeJson(head, out);
    }

    /** Returns what stands for a result in the document of a whole run. */
    byte[] form(TestCaseResult result) {
        ByteArrayOutputStream form = new ByteArrayOutputStream(FORM_BYTES);
        try (JsonGenerator json = mapper.createGenerator(form).setPrettyPrinter(new AsMember())) {
            forms.writeValue(new WithId(json, result.testCase().id()), result);
        } catch (IOException e) {
            throw new ReportException("cannot write a result as JSON: " + e.getMessage(), e);
        }
        return form.toByteArray();
    }

    private String text(JsonNode node) {
        try {
            return writer.writeValueAsString(node) + "\n";
        } catch (IOException e) {
            throw new ReportException("cannot write a result as JSON: " + e.getMessage(), e);
        }
    }

    RunManifest readInfo(byte[] json, String origin) {
        return read(json, origin, RunManifest.class);
    }

    TestCaseResult readResult(byte[] json, String origin) {
        return read(json, origin, TestCaseResult.class);
    }

    private <T> T read(byte[] json, String origin, Class<T> type) {
        try {
            T value =
                    whole(isOfThisVersion(json) ? mapper.readValue(json, type) : readTree(json, origin, type), origin);
            return EarlierFacts.isIn(value) ? whole(readTree(json, origin, type), origin) : value;
        } catch (IOException e) {
            throw new ReportException(origin + " cannot be read as " + type.getSimpleName() + ": " + oneLine(e), e);
        }
    }

    private static <T> T whole(T value, String origin) {
        Optional<String> damage = DamagedMember.of(value);
        if (damage.isPresent()) {
            throw new ReportException(
                    origin + " has " + damage.get() + "; the file was damaged, or is of another tool");
        }
        return value;
    }

    private boolean isOfThisVersion(byte[] json) throws IOException {
        try (JsonParser head = mapper.createParser(json)) {
            return head.nextToken() == JsonToken.START_OBJECT
                    && "schemaVersion".equals(head.nextFieldName())
                    && head.nextIntValue(0) == RunManifest.SCHEMA_VERSION;
        }
    }

    /** Reads a file of any version, or says why it cannot be read. */
    private <T> T readTree(byte[] json, String origin, Class<T> type) throws IOException {
        JsonNode node = mapper.readTree(json);
        if (!node.isObject()) {
            throw new ReportException(origin + " is not a JSON object; the file was damaged, or is of another tool");
        }
        int version = node.path("schemaVersion").asInt(0);
        if (version < 1 || version > RunManifest.SCHEMA_VERSION) {
            throw new ReportException(origin + " has schema version "
                    + node.path("schemaVersion").asText("none") + " but this version of Gatebench reads up to "
                    + RunManifest.SCHEMA_VERSION + "; use the version that wrote it, or a newer one");
        }
        EarlierFacts.lead(node, origin);
        return mapper.treeToValue(node, type);
    }

    private static String oneLine(IOException e) {
        String message = String.valueOf(e.getMessage());
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.PROPERTY, property = "outcome")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = TestCaseResult.Completed.class, name = "completed"),
        @JsonSubTypes.Type(value = TestCaseResult.Failed.class, name = "failed"),
        @JsonSubTypes.Type(value = TestCaseResult.Skipped.class, name = "skipped")
    })
    private interface ResultForm {}

    private interface ProbeForm {
        @JsonProperty
        @JsonSerialize(converter = Sorted.class)
        Set<Integer> expectedStatuses();
    }

    /** Indents a value as one that stands in a member of another. */
    private static final class AsMember extends DefaultPrettyPrinter {

        private static final long serialVersionUID = 1;

        AsMember() {
            indentObjectsWith(INDENTER);
            _nesting = 1;
        }
    }

    /** Names a result before its own members. */
    private static final class WithId extends JsonGeneratorDelegate {
        private final String id;
        private boolean named;

        WithId(JsonGenerator whole, String id) {
            super(whole, false);
            this.id = id;
        }

        @Override
        public void writeStartObject(Object value) throws IOException {
            super.writeStartObject(value);
            if (!named) {
                named = true;
                writeStringField("id", id);
            }
        }
    }

    private static final class Sorted extends StdConverter<Set<Integer>, TreeSet<Integer>> {
        @Override
        public TreeSet<Integer> convert(Set<Integer> values) {
            return new TreeSet<>(values);
        }
    }

    private static final class FigureSerializer extends JsonSerializer<MeasuredValue> {
        @Override
        public void serialize(MeasuredValue figure, JsonGenerator json, SerializerProvider provider)
                throws IOException {
            if (figure instanceof MeasuredValue.Measured measured) {
                json.writeNumber(measured.number());
            } else {
                json.writeStartObject();
                json.writeStringField("absent", ((MeasuredValue.Absent) figure).reason());
                json.writeEndObject();
            }
        }
    }

    private static final class FigureDeserializer extends JsonDeserializer<MeasuredValue> {
        @Override
        public MeasuredValue deserialize(JsonParser json, DeserializationContext context) throws IOException {
            if (json.currentToken().isNumeric()) {
                return MeasuredValue.of(json.getDoubleValue());
            }
            if (json.currentToken() == JsonToken.START_OBJECT) {
                JsonNode node = json.readValueAsTree();
                return MeasuredValue.absent(node.path("absent").asText("no reason was recorded"));
            }
            return (MeasuredValue) context.handleUnexpectedToken(MeasuredValue.class, json);
        }

        @Override
        public MeasuredValue getNullValue(DeserializationContext context) {
            return MeasuredValue.absent("the version that wrote the result did not record it");
        }
    }

    /** Reads a value that is written as its text. */
    private static final class TextDeserializer<T> extends JsonDeserializer<T> {

        private final Class<T> type;
        private final Function<String, T> parser;

        TextDeserializer(Class<T> type, Function<String, T> parser) {
            this.type = type;
            this.parser = parser;
        }

        @Override
        public T deserialize(JsonParser json, DeserializationContext context) throws IOException {
            try {
                return parser.apply(json.getValueAsString(""));
            } catch (IllegalArgumentException e) {
                return type.cast(context.handleWeirdStringValue(type, json.getText(), "%s", e.getMessage()));
            }
        }
    }
}
