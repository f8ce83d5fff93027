package dev.avocet.mqtt.conformance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A normative statement that binds a server.
 *
 * @param id as {@link Proves} writes it
 * @param subject what it is about, in our own words
 * @param reservation why it cannot be tested from outside, or only in part; empty where it can
 */
record Statement(String id, String subject, String reservation) {
    private static final String RESERVATION = " -- ";

    /** The statements of a list beside this class, in its order. */
    static List<Statement> list(String resource) {
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(Statement.class.getResourceAsStream(resource), StandardCharsets.UTF_8))) {
            return lines.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(Statement::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Statement parse(String line) {
        int blank = line.indexOf(' ');
        String words = line.substring(blank).strip();
        int reservation = words.indexOf(RESERVATION);
        return reservation < 0
                ? new Statement(line.substring(0, blank), words, "")
                : new Statement(
                        line.substring(0, blank),
                        words.substring(0, reservation).strip(),
                        words.substring(reservation + RESERVATION.length()).strip());
    }
}
