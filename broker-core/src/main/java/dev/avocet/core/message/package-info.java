/**
 * What travels: messages, topic names, topic filters, and how they are to be delivered. All immutable.
 *
 * <p>Owner: none; any thread may read.
 *
 * <p>May depend on: nothing of the broker. Must not know protocols.
 *
 * <p>Start at {@link dev.avocet.core.message.Message}.
 */
@NullMarked
package dev.avocet.core.message;

import org.jspecify.annotations.NullMarked;
