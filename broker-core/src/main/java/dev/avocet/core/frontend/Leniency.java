package dev.avocet.core.frontend;

/**
 * Where an endpoint puts up with what it refuses by default, or says less than it could, for the sake of clients that
 * are there already.
 *
 * @param controlCharacters whether names and topics may hold what {@link dev.avocet.core.message.DisallowedCharacters}
 *     finds
 * @param plainSubscribeCodes whether a refused subscription gets the one code that says nothing about the reason
 * @param bareTopics whether a name is a topic when nothing says what it is meant to be
 */
public record Leniency(boolean controlCharacters, boolean plainSubscribeCodes, boolean bareTopics) {
    /** As an endpoint is unless configured otherwise. */
    public static final Leniency NONE = new Leniency(false, false, false);
}
