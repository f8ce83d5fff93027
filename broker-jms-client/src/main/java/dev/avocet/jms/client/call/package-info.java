/**
 * What stands between a thread of the application and the event loop: waiting for an answer, handing over what has
 * arrived, limits of what is under way, and failures as the exceptions of JMS.
 *
 * <p>Thread-safe, as each class says. May depend on: wire.route, the exceptions of the root package.
 */
@NullMarked
package dev.avocet.jms.client.call;

import org.jspecify.annotations.NullMarked;
