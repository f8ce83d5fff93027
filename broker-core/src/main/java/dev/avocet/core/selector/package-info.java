/**
 * Conditions on messages, in the language of Jakarta Messaging selectors.
 *
 * <p>Owner: A selector is immutable and may be asked by any thread, but for what its Javadoc says.
 *
 * <p>May depend on: message. Must not know protocols.
 *
 * <p>Start at {@link dev.avocet.core.selector.Selector#compile}.
 */
@NullMarked
package dev.avocet.core.selector;

import org.jspecify.annotations.NullMarked;
