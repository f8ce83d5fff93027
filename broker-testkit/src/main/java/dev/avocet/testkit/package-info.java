/**
 * A broker for tests: a clock that tests move, real sockets, faults on the way. Where the order of events matters, loops without a
 * thread ({@link dev.avocet.testkit.ManualLoops}) whose tasks the test runs itself.
 *
 * <p>The tests of the core that need any of this stand in this module, below {@code src/test/java/dev/avocet/core}, in the packages
 * of what they test: the core's own tests cannot depend on a module that depends on the core.
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
