/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;

import io.gatebench.model.MeasuredValue;

/** The JSON form of requests and results. */
final class LoadJson {

    /** One for all: what it has learnt of a record costs more than a small document. */
    static final JsonMapper MAPPER = mapper();

    private LoadJson() {}

    private static JsonMapper mapper() {
        SimpleModule figures = new SimpleModule();
        figures.addSerializer(MeasuredValue.class, new FigureWriter());
        figures.addDeserializer(MeasuredValue.class, new FigureReader());
        return JsonMapper.builder()
                .addModule(new Jdk8Module())
                .addModule(new JavaTimeModule())
                .addModule(figures)
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                .enable(SerializationFeature.INDENT_OUTPUT)
                .build();
    }

    /** Writes beside the file first, forces it to disk and renames: a reader sees the old file, or the whole new one. */
    static void writeAtomically(Path file, Object value) {
        Path beside = file.resolveSibling(file.getFileName() + ".part");
        try {
            byte[] json = (MAPPER.writeValueAsString(value) + "\n").getBytes(StandardCharsets.UTF_8);
            try (OutputStream out = Files.newOutputStream(beside)) {
                out.write(json);
            }
            try (FileChannel channel = FileChannel.open(beside, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new LoadException("cannot write " + file + ": " + e, e);
        }
    }

    static String text(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new LoadException("cannot write " + value.getClass().getSimpleName() + " as JSON: " + describe(e), e);
        }
    }

    static String describe(JsonProcessingException e) {
        JsonLocation at = e.getLocation();
        String place = at == null ? "" : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
        return e.getOriginalMessage() + place;
    }

    private static final class FigureWriter extends StdSerializer<MeasuredValue> {
        private static final long serialVersionUID = 1L;

        FigureWriter() {
            super(MeasuredValue.class);
        }

        @Override
        public void serialize(MeasuredValue figure, JsonGenerator out, SerializerProvider provider) throws IOException {
            if (figure instanceof MeasuredValue.Measured measured) {
                out.writeNumber(measured.number());
            } else {
                out.writeStartObject();
                out.writeStringField("absent", ((MeasuredValue.Absent) figure).reason());
                out.writeEndObject();
            }
        }
    }

    private static final class FigureReader extends StdDeserializer<MeasuredValue> {
        private static final long serialVersionUID = 1L;

        FigureReader() {
            super(MeasuredValue.class);
        }

        @Override
        public MeasuredValue deserialize(JsonParser in, DeserializationContext context) throws IOException {
            JsonNode node = in.readValueAsTree();
            return node.isNumber()
                    ? MeasuredValue.of(node.doubleValue())
                    : MeasuredValue.absent(node.path("absent").asText("no reason given"));
        }
    }
}
