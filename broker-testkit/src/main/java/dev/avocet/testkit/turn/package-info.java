/**
 * Tests that take turns: each runs in one of so many quick builds.
 *
 * <p>Owner: the thread that discovers tests.
 *
 * <p>May depend on: JUnit, {@code dev.avocet.testkit}. Never part of the product.
 *
 * <p>Start at {@link dev.avocet.testkit.turn.InTurn}.
 */
@NullMarked
package dev.avocet.testkit.turn;

import org.jspecify.annotations.NullMarked;
