/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** What docs/reference/api.md promises to keep is what japicmp compares, and all that its signatures show. */
class ApiIT {

    private static final JavaClasses OURS = new ClassFileImporter().importPackages("io.gatebench");
    private static final Path PAGE = Documents.REFERENCE.resolve("api.md");
    private static final Pattern INCLUDE = Pattern.compile("<include>(io\\.gatebench\\.[\\w.]+)</include>");
    private static final Pattern PUBLIC_TYPE =
            Pattern.compile("(?m)^public (?:[\\w-]+ )*?(class|interface|record|enum|@interface) (\\w+)");

    /** The packages of the first table, whose public types are all promised; types stand in the second one. */
    private static Set<String> documented(boolean types) throws IOException {
        Set<String> names = new TreeSet<>();
        Documents.firstCells(PAGE).stream()
                .filter(name -> name.startsWith("io.gatebench."))
                .filter(name -> isType(name) == types)
                .forEach(names::add);
        return names;
    }

    private static boolean isType(String name) {
        return Character.isUpperCase(name.charAt(name.lastIndexOf('.') + 1));
    }

    @Test
    void namesEveryTypeThatSignaturesShow() throws IOException {
        Set<String> packages = documented(false);
        Deque<JavaClass> todo = new ArrayDeque<>();
        for (JavaClass type : OURS) {
            if (packages.contains(type.getPackageName()) && isVisible(type)) {
                todo.add(type);
            }
        }
        Set<String> seen = new TreeSet<>();
        Set<String> shown = new TreeSet<>();
        while (!todo.isEmpty()) {
            JavaClass type = todo.poll();
            if (!seen.add(type.getName())) {
                continue;
            }
            if (!packages.contains(type.getPackageName())) {
                shown.add(topLevel(type));
            }
            signatures(type)
                    .map(JavaClass::getBaseComponentType)
                    .filter(other -> other.getPackageName().startsWith("io.gatebench.") && isVisible(other))
                    .forEach(todo::add);
        }

        Set<String> further = documented(true);
        assertThat(further).containsAll(shown);
        further.removeAll(shown);
        assertThat(further).as("types that no signature shows").allMatch(name -> name.endsWith("Exception"));
    }

    private static boolean isVisible(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(ApiIT::isVisible).orElse(true);
    }

    private static String topLevel(JavaClass type) {
        return type.getEnclosingClass().map(ApiIT::topLevel).orElse(type.getName());
    }

    private static Stream<JavaClass> signatures(JavaClass type) {
        List<JavaClass> types = new ArrayList<>();
        type.getRawSuperclass().ifPresent(types::add);
        types.addAll(type.getRawInterfaces());
        for (JavaMember member : type.getMembers()) {
            if (!member.getModifiers().contains(JavaModifier.PUBLIC)) {
                continue;
            }
            if (member instanceof JavaField field) {
                types.addAll(field.getType().getAllInvolvedRawTypes());
            } else if (member instanceof JavaCodeUnit code) {
                types.addAll(code.getReturnType().getAllInvolvedRawTypes());
                code.getParameterTypes().forEach(each -> types.addAll(each.getAllInvolvedRawTypes()));
                code.getExceptionTypes().forEach(each -> types.addAll(each.getAllInvolvedRawTypes()));
            }
        }
        return types.stream();
    }

    @Test
    void isWhatIsComparedWithTheLastRelease() throws IOException {
        Set<String> compared = new TreeSet<>();
        Matcher includes = INCLUDE.matcher(Files.readString(Documents.ROOT.resolve("pom.xml")));
        while (includes.find()) {
            compared.add(includes.group(1));
        }
        Set<String> promised = new TreeSet<>(documented(false));
        promised.addAll(documented(true));

        assertThat(compared).isEqualTo(promised);
    }

    @Test
    void saysSinceWhenEachTypeIsThere() throws IOException {
        Set<String> packages = documented(false);
        Set<String> types = documented(true);
        List<String> silent = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Documents.ROOT, 12)) {
            for (Path file : files.filter(path -> path.toString().contains("/src/main/java/"))
                    .filter(path -> path.toString().endsWith(".java"))
                    .toList()) {
                String source = Files.readString(file);
                Matcher type = PUBLIC_TYPE.matcher(source);
                if (!type.find()) {
                    continue;
                }
                String name = packageOf(source) + "." + type.group(2);
                if ((packages.contains(packageOf(source)) || types.contains(name))
                        && !source.substring(0, type.start()).contains("\n * @since ")) {
                    silent.add(name);
                }
            }
        }
        assertThat(silent).isEmpty();
    }

    private static String packageOf(String source) {
        int begin = source.indexOf("\npackage ") + "\npackage ".length();
        return source.substring(begin, source.indexOf(';', begin));
    }
}
