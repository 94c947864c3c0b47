/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.page;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import freemarker.cache.ClassTemplateLoader;
import freemarker.cache.FileTemplateLoader;
import freemarker.cache.MultiTemplateLoader;
import freemarker.cache.TemplateLoader;
import freemarker.core.TemplateClassResolver;
import freemarker.log.Logger;
import freemarker.template.Configuration;
import freemarker.template.TemplateException;
import freemarker.template.TemplateExceptionHandler;

import io.gatebench.report.results.ReportException;

/**
 * The templates of the documents: the built-in ones, or those of a user's directory that have the same name.
 *
 * <p>Templates see texts alone, never objects of this program, and cannot load classes.
 */
public final class Templates {

    private static final String BUILT_IN = "/io/gatebench/report/templates";

    private final Configuration configuration = configuration();

    /**
     * Returns a configuration with nothing set. Failures are thrown and never logged. Without this the engine looks for loggers on the class path and takes the
     * half of one that the load generator's libraries bring, which breaks it.
     */
    @SuppressWarnings("deprecation") // The system property in its place is read before anyone here can set it.
    public static Configuration configuration() {
        try {
            Logger.selectLoggerLibrary(Logger.LIBRARY_NONE);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("logging nowhere needs no class", e);
        }
        return new Configuration(Configuration.VERSION_2_3_34);
    }

    /**
     * Prepares the templates.
     *
     * @throws ReportException if the user's directory does not exist
     */
    public Templates(Optional<Path> own) {
        ClassTemplateLoader builtIn = new ClassTemplateLoader(Templates.class, BUILT_IN);
        configuration.setTemplateLoader(own.map(directory ->
                        (TemplateLoader) new MultiTemplateLoader(new TemplateLoader[] {loader(directory), builtIn}))
                .orElse(builtIn));
        configuration.setDefaultEncoding("UTF-8");
        configuration.setLocale(Locale.ROOT);
        configuration.setNumberFormat("computer");
        configuration.setTemplateExceptionHandler(TemplateExceptionHandler.RETHROW_HANDLER);
        configuration.setLogTemplateExceptions(false);
        configuration.setLocalizedLookup(false);
        configuration.setNewBuiltinClassResolver(TemplateClassResolver.ALLOWS_NOTHING_RESOLVER);
    }

    private static FileTemplateLoader loader(Path directory) {
        if (!Files.isDirectory(directory)) {
            throw new ReportException("there is no template directory " + directory);
        }
        try {
            return new FileTemplateLoader(directory.toFile());
        } catch (IOException e) {
            throw new ReportException("cannot read the template directory " + directory + ": " + e.getMessage(), e);
        }
    }

    /**
     * Returns what a template makes of a model.
     *
     * @throws ReportException if the template is wrong, with its name and line
     */
    public String render(String name, Map<String, Object> model) {
        StringWriter text = new StringWriter();
        try {
            Object safe = name.endsWith(".md.ftl") ? ForeignText.markdownModel(model) : model;
            configuration.getTemplate(name).process(safe, text);
        } catch (TemplateException e) {
            throw new ReportException(
                    "template " + name + ", line " + e.getLineNumber() + ": " + e.getMessageWithoutStackTop(), e);
        } catch (IOException e) {
            throw new ReportException("template " + name + " cannot be read: " + e.getMessage(), e);
        }
        return text.toString().replace("\r\n", "\n");
    }
}
