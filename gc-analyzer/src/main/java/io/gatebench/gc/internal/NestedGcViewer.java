/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc.internal;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;

import org.jspecify.annotations.Nullable;

/**
 * The classes of a GCViewer that lies as a jar of its own inside the program's jar, and those of our adapter to it.
 *
 * <p>GCViewer is LGPL: who has the program must be able to put another GCViewer in the place of this one. A jar on the
 * class path goes first; the jar inside the program's can be replaced as a file. Its classes are read into memory, so that
 * nothing lies in a temporary directory when the program is killed.
 */
final class NestedGcViewer extends ClassLoader {

    /** Place where the build puts the jar. */
    static final String JAR = "lib/gcviewer.jar";

    private static final String ADAPTER_PACKAGE = "io.gatebench.gc.gcviewer.";
    private static final String ADAPTER = ADAPTER_PACKAGE + "GcViewerAdapter";
    private static final String FOREIGN_CLASS = "com.tagtraum.perf.gcviewer.imp.DataReaderFacade";

    static {
        registerAsParallelCapable();
    }

    private final Map<String, byte[]> files;

    /** Made once: GCViewer's classes hold state that all readings share. */
    static final class Loaded {
        // The loader of the JVM's own class path, on which the launcher puts the program, is none; the system's one
        // asks it.
        static final GcViewer GC_VIEWER = load(Objects.requireNonNullElseGet(
                NestedGcViewer.class.getClassLoader(), ClassLoader::getSystemClassLoader));

        private Loaded() {}
    }

    private NestedGcViewer(ClassLoader parent, Map<String, byte[]> files) {
        super("gcviewer", parent);
        this.files = files;
    }

    /** Returns a GCViewer by the classes that the loader sees, by those of the nested jar if it sees none of them. */
    static GcViewer load(ClassLoader program) {
        try {
            return adapter(has(program, FOREIGN_CLASS) ? program : new NestedGcViewer(program, nested(program)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("GCViewer cannot be loaded: " + e, e);
        }
    }

    private static boolean has(ClassLoader loader, String name) {
        return loader.getResource(file(name)) != null;
    }

    private static GcViewer adapter(ClassLoader loader) throws ReflectiveOperationException {
        return (GcViewer) loader.loadClass(ADAPTER).getConstructor().newInstance();
    }

    private static Map<String, byte[]> nested(ClassLoader program) throws IOException {
        Map<String, byte[]> files = new HashMap<>();
        try (InputStream found = program.getResourceAsStream(JAR)) {
            if (found == null) {
                throw new IOException("neither the class path nor " + JAR + " in the program's jar has GCViewer; put"
                        + " com.github.chewiebug:gcviewer on the class path");
            }
            JarInputStream jar = new JarInputStream(found);
            for (JarEntry entry = jar.getNextJarEntry(); entry != null; entry = jar.getNextJarEntry()) {
                files.put(entry.getName(), jar.readAllBytes());
            }
        }
        return files;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        // The parent has our adapter too, but there it does not see the nested classes.
        if (!name.startsWith(ADAPTER_PACKAGE)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = name.startsWith(ADAPTER_PACKAGE) ? ofTheProgram(name) : files.get(file(name));
        if (bytes == null) {
            throw new ClassNotFoundException(name);
        }
        return defineClass(name, bytes, 0, bytes.length);
    }

    private byte @Nullable [] ofTheProgram(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(file(name))) {
            return in == null ? null : in.readAllBytes();
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    /** GCViewer asks for its texts only. */
    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
        byte[] bytes = files.get(name);
        return bytes == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(bytes);
    }

    @Override
    protected @Nullable URL findResource(String name) {
        return null;
    }

    private static String file(String className) {
        return className.replace('.', '/') + ".class";
    }
}
