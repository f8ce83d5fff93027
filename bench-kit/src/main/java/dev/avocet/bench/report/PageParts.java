package dev.avocet.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * What every page is made of: the style and the plot library of the broker's console, and what is the page's own. A
 * page lets nothing run or load but these very texts, which it names by their hashes.
 */
final class PageParts {
    private static final String CONSOLE = "console/";
    private static final String LICENCE_OF_PLOTS =
            "---------------------------------------------------------------- uplot\n";

    private final String style =
            read(CONSOLE + "lib/uPlot.min.css") + read(CONSOLE + "console.css") + read("result.css");
    private final String plots = read(CONSOLE + "lib/uPlot.iife.min.js");
    private final String script = read("result.js");
    private final String icon = read(CONSOLE + "icon.svg").strip();

    /** @param body HTML; what is text in it is escaped */
    String page(String title, String body) {
        String policy = "default-src 'none'; style-src " + hash(style) + "; script-src " + hash(plots) + " "
                + hash(script) + "; img-src data:; base-uri 'none'; form-action 'none'";
        return new Markup()
                .own("<!DOCTYPE html>\n")
                .open("html", "lang", "en")
                .open("head")
                .open("meta", "charset", "utf-8")
                .open("meta", "http-equiv", "Content-Security-Policy", "content", policy)
                .open("meta", "name", "viewport", "content", "width=device-width, initial-scale=1")
                .open("meta", "name", "color-scheme", "content", "light dark")
                .element("title", title)
                .open("link", "rel", "icon", "href", iconAddress())
                .own("<style>" + style + "</style>\n")
                .close("head")
                .open("body", "class", "result")
                .own(body)
                .own("<script>" + plots + "</script>\n")
                .own("<script>" + script + "</script>\n")
                .close("body")
                .close("html")
                .toString();
    }

    String iconAddress() {
        return "data:image/svg+xml;base64," + Base64.getEncoder().encodeToString(icon.getBytes(UTF_8));
    }

    /** Which goes with each copy of the library. */
    static String licenceOfPlots() {
        String all = read(CONSOLE + "lib/LICENSES.txt");
        return all.substring(all.indexOf(LICENCE_OF_PLOTS) + LICENCE_OF_PLOTS.length())
                .strip();
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256, which every Java 17 runtime has", e);
        }
    }

    private static String read(String name) {
        try (InputStream file = PageParts.class.getResourceAsStream(name)) {
            if (file == null) {
                throw new IllegalStateException("the file " + name + " is missing in the harness");
            }
            return new String(file.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("the harness's file " + name + " cannot be read", e);
        }
    }
}
