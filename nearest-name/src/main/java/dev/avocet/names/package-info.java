/**
 * Finds the name that a mistyped one probably means. The broker, its command line and the load drivers have it from
 * here, so that all of them answer a mistyped name alike.
 *
 * <p>Owner: any thread.
 *
 * <p>May depend on: the JDK.
 */
@NullMarked
package dev.avocet.names;

import org.jspecify.annotations.NullMarked;
