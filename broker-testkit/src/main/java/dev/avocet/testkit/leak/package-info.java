/**
 * Finds Netty buffers that a test has lost. Every build tracks every buffer; a test class that loses one fails.
 *
 * <p>Owner: the test's thread; buffers are tracked on the threads that allocate them.
 *
 * <p>May depend on: Netty and JUnit. Never part of the product.
 *
 * <p>Start at {@link dev.avocet.testkit.leak.LostBuffers}.
 */
@NullMarked
package dev.avocet.testkit.leak;

import org.jspecify.annotations.NullMarked;
