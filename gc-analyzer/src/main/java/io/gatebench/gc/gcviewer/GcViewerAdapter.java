/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc.gcviewer;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.io.UnsupportedEncodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;

import com.tagtraum.perf.gcviewer.imp.DataReader;
import com.tagtraum.perf.gcviewer.imp.DataReaderException;
import com.tagtraum.perf.gcviewer.imp.DataReaderFacade;
import com.tagtraum.perf.gcviewer.imp.DataReaderSun1_3_1;
import com.tagtraum.perf.gcviewer.imp.DataReaderSun1_6_0;
import com.tagtraum.perf.gcviewer.imp.DataReaderSun1_6_0G1;
import com.tagtraum.perf.gcviewer.imp.DataReaderUnifiedJvmLogging;
import com.tagtraum.perf.gcviewer.imp.GcLogType;
import com.tagtraum.perf.gcviewer.imp.ParseException;
import com.tagtraum.perf.gcviewer.math.IntData;
import com.tagtraum.perf.gcviewer.model.AbstractGCEvent;
import com.tagtraum.perf.gcviewer.model.ConcurrentGCEvent;
import com.tagtraum.perf.gcviewer.model.GCModel;
import com.tagtraum.perf.gcviewer.model.GCResource;
import com.tagtraum.perf.gcviewer.model.GcResourceFile;
import com.tagtraum.perf.gcviewer.model.GcResourceSeries;
import com.tagtraum.perf.gcviewer.util.ParseInformation;
import org.jspecify.annotations.Nullable;

import io.gatebench.gc.internal.GcViewer;

/**
 * Reads a GC log with GCViewer, as the published documents did.
 *
 * <p>The only class that touches GCViewer. It chooses the reader itself, of those of Sun's and Oracle's logs only; holds
 * GCViewer's static state behind one lock, keeps its warnings off the standard streams, and never lets its own errors out.
 */
public final class GcViewerAdapter implements GcViewer {

    /** GCViewer's type tables are static and unguarded. */
    private static final Object ONE_AT_A_TIME = new Object();

    private static final int MAX_WARNINGS = 100;
    private static final double KIB = 1024.0;

    @Override
    public Reading read(List<Path> files, long mostBytes) {
        synchronized (ONE_AT_A_TIME) {
            List<String> warnings = new ArrayList<>();
            Quiet quiet = new Quiet(warnings);
            // A logger without a strong reference would lose its settings to the collector.
            Logger imp = Logger.getLogger("com.tagtraum.perf.gcviewer");
            boolean parents = imp.getUseParentHandlers();
            imp.setUseParentHandlers(false);
            imp.addHandler(quiet);
            try {
                List<GCResource> resources = files.stream()
                        .map(file -> resource(file.toFile(), quiet))
                        .collect(Collectors.toList());
                GCResource resource = resources.size() == 1 ? resources.get(0) : series(resources, quiet);
                SunReaders readers = new SunReaders(mostBytes, quiet);
                GCModel model = readers.loadModel(resource);
                quiet.requireProgress();
                return reading(model, !readers.unified, warnings);
            } catch (Unreadable e) {
                throw e;
            } catch (DataReaderException | IOException | RuntimeException e) {
                throw new Unreadable(reason(e), e);
            } catch (StackOverflowError e) {
                // Its reader of details calls itself without end where a line of Serial or Parallel is cut.
                throw new Unreadable("a line is cut in its middle", e);
            } catch (AssertionError e) {
                // What it takes for granted of a line is asserted, and a JVM of tests has assertions enabled.
                throw new Unreadable("a line is damaged", e);
            } finally {
                imp.removeHandler(quiet);
                imp.setUseParentHandlers(parents);
            }
        }
    }

    private static String reason(Exception e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof GuardedStream.RefusedException) {
                return cause.getMessage();
            }
        }
        return e instanceof RuntimeException
                ? e.toString()
                : e.getMessage() == null ? "it does not know the form" : e.getMessage();
    }

    private static GCResource resource(File file, Handler quiet) {
        GcResourceFile resource = new GcResourceFile(file);
        silence(resource.getLogger(), quiet);
        return resource;
    }

    private static GCResource series(List<GCResource> resources, Handler quiet) {
        GcResourceSeries series = new GcResourceSeries(resources);
        silence(series.getLogger(), quiet);
        return series;
    }

    private static void silence(Logger logger, Handler quiet) {
        logger.setUseParentHandlers(false);
        logger.addHandler(quiet);
    }

    private static Reading reading(GCModel model, boolean withEvents, List<String> warnings) throws IOException {
        IntData full = model.getFootprintAfterFullGC();
        List<Stop> stops = new ArrayList<>();
        Iterator<AbstractGCEvent<?>> events = model.getStopTheWorldEvents();
        while (withEvents && events.hasNext()) {
            stops.add(stop(events.next()));
        }
        List<Phase> phases = new ArrayList<>();
        Iterator<ConcurrentGCEvent> concurrent = model.getConcurrentGCEvents();
        while (withEvents && concurrent.hasNext()) {
            ConcurrentGCEvent phase = concurrent.next();
            if (phase.getDuration() > 0) {
                phases.add(new Phase(phase.getTimestamp(), phase.getDuration()));
            }
        }
        return new Reading(
                model.size(),
                model.getThroughput(),
                model.getRunningTime(),
                model.getPause().getSum(),
                model.getPause().getN(),
                model.getFullGCPause().getN(),
                full.getN(),
                full.getN() > 0 ? full.average() * KIB : 0,
                full.getN() > 1 ? full.standardDeviation() * KIB : 0,
                model.getFootprint() * KIB,
                phases,
                stops,
                warnings);
    }

    private static Stop stop(AbstractGCEvent<?> event) {
        ZonedDateTime date = event.getDatestamp();
        long oldBefore = -1;
        long oldAfter = -1;
        Iterator<? extends AbstractGCEvent<?>> details = event.details();
        while (details.hasNext()) {
            AbstractGCEvent<?> part = details.next();
            if (part.getGeneration() == AbstractGCEvent.Generation.YOUNG && part.getTotal() > 0) {
                // A young collection's line has the whole heap and the young generation; the rest is old.
                oldBefore = (event.getPreUsed() - part.getPreUsed()) * 1024L;
                oldAfter = (event.getPostUsed() - part.getPostUsed()) * 1024L;
            }
        }
        boolean memory = event.getTotal() > 0;
        return new Stop(
                event.getTypeAsString(),
                event.isFull(),
                event.isInitialMark(),
                event.isRemark(),
                event.getTimestamp(),
                date == null ? Long.MIN_VALUE : date.toInstant().toEpochMilli(),
                event.getPause(),
                memory ? event.getPreUsed() * 1024L : -1,
                memory ? event.getPostUsed() * 1024L : -1,
                memory ? event.getTotal() * 1024L : -1,
                oldBefore,
                oldAfter);
    }

    /** Reads each file of a log with the reader that we choose; GCViewer's own facade still joins several files. */
    private static final class SunReaders extends DataReaderFacade {
        private final long mostBytes;
        private final Quiet quiet;
        private long bytes;
        private boolean unified;
        private GuardedStream.@Nullable RefusedException refused;

        SunReaders(long mostBytes, Quiet quiet) {
            this.mostBytes = mostBytes;
            this.quiet = quiet;
        }

        @Override
        public GCModel loadModel(GCResource resource) throws DataReaderException {
            if (!(resource instanceof GcResourceFile file)) {
                GCModel joined = super.loadModel(resource);
                if (refused != null) {
                    // The facade leaves out a part that cannot be read.
                    throw failed(refused);
                }
                return joined;
            }
            try (InputStream raw = new BufferedInputStream(Files.newInputStream(Path.of(file.getResourceName())))) {
                return model(file, raw);
            } catch (GuardedStream.RefusedException e) {
                refused = e;
                throw failed(e);
            } catch (IOException | RuntimeException e) {
                throw failed(e);
            }
        }

        private GCModel model(GcResourceFile file, InputStream raw) throws IOException {
            GuardedStream log = new GuardedStream(unpacked(raw), mostBytes - bytes);
            quiet.follow(log);
            byte[] head = log.readNBytes(SunForm.HEAD_BYTES);
            InputStream whole = new SequenceInputStream(new ByteArrayInputStream(head), log);
            SunForm form = SunForm.of(head).orElseThrow(() -> new IOException("it does not know the form"));
            WantedLines wanted = new WantedLines(whole, mostBytes - bytes);
            unified = form == SunForm.UNIFIED;
            if (unified) {
                log.withoutLimit();
            }
            DataReader reader = switch (form) {
                case UNIFIED -> new UnifiedReader(file, wanted);
                case G1 -> new DataReaderSun1_6_0G1(file, whole, GcLogType.SUN1_6G1);
                case JDK6 -> new DetailsReader(file, whole, GcLogType.SUN1_6);
                case JDK5 -> new DetailsReader(file, whole, GcLogType.SUN1_5);
                case JDK4 -> new DetailsReader(file, whole, GcLogType.SUN1_4);
                case JDK3 -> new DataReaderSun1_3_1(file, whole, GcLogType.SUN1_3_1);
            };
            GCModel model;
            try {
                model = reader.read();
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
            bytes += unified ? wanted.bytes() : log.bytes();
            model.setURL(file.getResourceNameAsUrl());
            return model;
        }

        private static InputStream unpacked(InputStream raw) throws IOException {
            raw.mark(2);
            byte[] magic = raw.readNBytes(2);
            raw.reset();
            return magic.length == 2 && (magic[0] & 0xff) == 0x1f && (magic[1] & 0xff) == 0x8b
                    ? new GZIPInputStream(raw)
                    : raw;
        }

        private static DataReaderException failed(Exception cause) {
            return new DataReaderException(cause.getMessage(), cause);
        }
    }

    /** Reads logs of JDK 8 and before, but not for ever: in some lines that are damaged in their middle it finds details without end. */
    private static final class DetailsReader extends DataReaderSun1_6_0 {

        private @Nullable String line;
        private int looks;

        DetailsReader(GCResource resource, InputStream in, GcLogType type) throws UnsupportedEncodingException {
            super(resource, in, type);
        }

        /** {@inheritDoc} Each detail takes at least one character: who looks more often does not get on. */
        @Override
        protected boolean hasNextDetail(String text, ParseInformation position) throws ParseException {
            if (!text.equals(line)) {
                line = text;
                looks = 0;
            }
            looks++;
            if (looks > text.length()) {
                throw new ParseException("a line is damaged in its middle", text, position);
            }
            return super.hasNextDetail(text, position);
        }
    }

    /** Its constructor is protected. */
    private static final class UnifiedReader extends DataReaderUnifiedJvmLogging {
        UnifiedReader(GCResource resource, InputStream in) throws IOException {
            super(resource, in);
        }
    }

    /**
     * Keeps the first warnings and prints nothing.
     *
     * <p>Of some damaged lines the reader warns for ever: nothing else tells that it does not get on.
     */
    private static final class Quiet extends Handler {

        /** More than all lines give that are read at once. */
        private static final int MAX_WARNINGS_WITHOUT_READING = 50_000;

        private final List<String> warnings;
        private @Nullable GuardedStream log;
        private long read;
        private int without;
        private @Nullable Unreadable endless;

        Quiet(List<String> warnings) {
            this.warnings = warnings;
        }

        /** Watches whether the reader goes on in its log. */
        void follow(GuardedStream next) {
            log = next;
            read = 0;
            without = 0;
        }

        @Override
        public void publish(LogRecord record) {
            if (record.getLevel().intValue() < Level.WARNING.intValue()) {
                return;
            }
            if (warnings.size() < MAX_WARNINGS) {
                warnings.add(String.valueOf(record.getMessage()));
            }
            without = log != null && log.bytes() == read ? without + 1 : 0;
            read = log == null ? 0 : log.bytes();
            if (endless == null && without > MAX_WARNINGS_WITHOUT_READING) {
                String why = "it does not get on after: " + record.getMessage();
                endless = new Unreadable(why, new IllegalStateException(why));
            }
            requireProgress();
        }

        /** The reader may take what is thrown among its lines for one of its own failures, and go on with the next line. */
        void requireProgress() {
            if (endless != null) {
                throw endless;
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
