/**
 * What test classes cost the machine that runs them, and how they wait.
 *
 * <p>Owner: the test's thread.
 *
 * <p>May depend on: JUnit, Awaitility. Never part of the product.
 *
 * <p>Start at {@link dev.avocet.testkit.cost.ProcessorTime}.
 */
@NullMarked
package dev.avocet.testkit.cost;

import org.jspecify.annotations.NullMarked;
