/**
 * A broker for tests: a clock that tests move, real sockets, faults on the way.
 *
 * <p>Owner: the test's thread.
 *
 * <p>May depend on: core. Never part of the product.
 *
 * <p>Start at {@link dev.avocet.testkit.TestBroker}.
 */
@NullMarked
package dev.avocet.testkit;

import org.jspecify.annotations.NullMarked;
