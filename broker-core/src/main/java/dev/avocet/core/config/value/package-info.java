/**
 * Values of configuration properties: which there are, how they are read from and shown as plain JSON, and what is
 * wrong with those that are refused.
 *
 * <p>Owner thread: none; everything is immutable. May depend on: core.message. Start reading at {@link
 * dev.avocet.core.config.value.ValueType}.
 */
@NullMarked
package dev.avocet.core.config.value;

import org.jspecify.annotations.NullMarked;
