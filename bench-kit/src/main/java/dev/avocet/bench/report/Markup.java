package dev.avocet.bench.report;

/** HTML under construction. Whatever is put into it is text, and can become no element. */
final class Markup {
    private final StringBuilder out = new StringBuilder();

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** @param attributes names, each with its value behind it */
    Markup open(String element, String... attributes) {
        out.append('<').append(element);
        for (int i = 0; i < attributes.length; i += 2) {
            out.append(' ')
                    .append(attributes[i])
                    .append("=\"")
                    .append(escape(attributes[i + 1]))
                    .append('"');
        }
        out.append('>');
        return this;
    }

    Markup close(String element) {
        out.append("</").append(element).append(">\n");
        return this;
    }

    Markup text(String text) {
        out.append(escape(text));
        return this;
    }

    /** An element that holds a text. */
    Markup element(String element, String text, String... attributes) {
        return open(element, attributes).text(text).close(element);
    }

    /** What is HTML already, of the harness's own files alone. */
    Markup own(String html) {
        out.append(html);
        return this;
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
