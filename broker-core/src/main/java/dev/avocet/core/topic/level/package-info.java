/**
 * The levels of topic names and filters, and the nodes of a tree of levels: the shape that subscriptions and retained
 * messages share.
 *
 * <p>Owner: none. A node is changed by the one that holds the lock of its tree, and read by any thread.
 *
 * <p>May depend on: message. Must not know subscriptions.
 */
@NullMarked
package dev.avocet.core.topic.level;

import org.jspecify.annotations.NullMarked;
