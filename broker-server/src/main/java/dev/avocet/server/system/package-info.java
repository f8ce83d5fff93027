/**
 * What the broker publishes about itself under {@code $SYS/}.
 *
 * <p>Owner thread: the thread {@code system} collects figures and writes them; notices come from whichever thread has
 * noticed something. Nothing here runs on an event loop but what {@link dev.avocet.core.broker.SystemTopic} hands over.
 * May depend on: server.store, core.broker, core.loop, core.metrics, core.time, Jackson's streaming half. Start reading
 * at {@link dev.avocet.server.system.SystemTopics}.
 */
@NullMarked
package dev.avocet.server.system;

import org.jspecify.annotations.NullMarked;
