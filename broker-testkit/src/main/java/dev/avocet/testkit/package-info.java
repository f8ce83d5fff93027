/**
 * A broker for tests: a clock that tests move, real sockets, faults on the way. Where the order of events matters,
 * loops without a thread ({@link dev.avocet.testkit.ManualLoops}) whose tasks the test runs itself.
 *
 * <p>The core's own tests cannot depend on a module that depends on the core: {@code broker-core} compiles these
 * sources with its tests.
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
