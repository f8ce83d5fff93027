/**
 * The register in a node of ZooKeeper.
 *
 * <p>Owner: any thread; it has threads of its own.
 *
 * <p>May depend on: coordination.
 *
 * <p>Start at {@link dev.avocet.ha.coordination.zookeeper.ZooKeeperCoordinator}.
 */
@NullMarked
package dev.avocet.ha.coordination.zookeeper;

import org.jspecify.annotations.NullMarked;
