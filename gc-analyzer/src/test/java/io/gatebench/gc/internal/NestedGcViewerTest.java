/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import com.tagtraum.perf.gcviewer.imp.DataReaderFacade;
import org.junit.jupiter.api.Test;

class NestedGcViewerTest {

    private static final List<Path> LOG = List.of(Path.of("src/test/resources/hand-made/jdk8-g1.log"));
    private static final long ENOUGH = 1 << 30;

    /** The class path of the program: ours as it is, GCViewer as a file at most. */
    private static final class WithoutGcViewer extends ClassLoader {
        private final byte[] nested;

        WithoutGcViewer(byte... nested) {
            super(NestedGcViewerTest.class.getClassLoader());
            this.nested = nested;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("com.tagtraum.")) {
                throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
        }

        @Override
        public URL getResource(String name) {
            return name.startsWith("com/tagtraum/") ? null : super.getResource(name);
        }

        @Override
        public InputStream getResourceAsStream(String name) {
            return name.equals(NestedGcViewer.JAR) && nested.length > 0
                    ? new ByteArrayInputStream(nested)
                    : super.getResourceAsStream(name);
        }
    }

    @Test
    void readsALogWithTheNestedJarAsWithTheOneOfTheClassPath() throws IOException {
        GcViewer nested = NestedGcViewer.load(new WithoutGcViewer(gcViewer()));
        GcViewer direct = NestedGcViewer.load(getClass().getClassLoader());

        assertThat(nested.getClass()).isNotSameAs(direct.getClass());
        assertThat(nested.getClass().getClassLoader().getName()).isEqualTo("gcviewer");
        assertThat(nested.read(LOG, ENOUGH)).isEqualTo(direct.read(LOG, ENOUGH));
        assertThat(nested.read(LOG, ENOUGH).events()).isPositive();
    }

    @Test
    void saysWhatToAddWhereThereIsNone() {
        assertThatThrownBy(() -> NestedGcViewer.load(new WithoutGcViewer()))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("com.github.chewiebug:gcviewer");
    }

    private static byte[] gcViewer() throws IOException {
        URL jar = DataReaderFacade.class.getProtectionDomain().getCodeSource().getLocation();
        return Files.readAllBytes(Path.of(jar.getPath()));
    }
}
