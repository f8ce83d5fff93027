/**
 * What fields of several objects have in common: sets of choices that keep their order, the messaging protocols, and
 * the network interfaces to listen on. Owner thread: none; everything is immutable. May depend on:
 * core.config.schema, core.config.value.
 */
@NullMarked
package dev.avocet.core.config.object.field;

import org.jspecify.annotations.NullMarked;
