package dev.avocet.core.message;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What travels with a payload besides its topic. A front end implements this over the bytes that it received, so that a message
 * which leaves by the protocol it came by is not taken apart; every other reader uses these accessors.
 *
 * <p>Immutable; any thread may read. The message's expiry is not among the properties: it is a deadline of the {@link Message}.
 */
public interface MessageProperties {
    /** No property at all. */
    MessageProperties NONE = new NoProperties();

    /** True when no property is present. */
    boolean isEmpty();

    /** True when the publisher declared the payload to be UTF-8 text. */
    boolean isPayloadText();

    /** The MIME type of the payload, or null. */
    @Nullable String contentType();

    /** Where a reply should be published, or null. */
    @Nullable String responseTopic();

    /** What the requester matches a reply by, or null. The caller must not change the array. */
    byte @Nullable [] correlationData();

    /** The application's own properties in their order; empty when there are none. */
    List<UserProperty> userProperties();

    /** Tells how {@link #encoded} is to be read; {@link PropertiesFormat#NONE} when there is no property. */
    int format();

    /** The properties as the store keeps them; the {@link PropertiesFormat} of this number reads them back. Not to be changed. */
    byte[] encoded();

    /** What the properties occupy in memory, in bytes, for the accounting of buffered messages. */
    int sizeBytes();
}
