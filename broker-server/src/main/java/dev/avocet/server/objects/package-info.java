/**
 * Keeps the configuration objects of {@link dev.avocet.core.config} on the disk, one JSON file for each of the last
 * versions, and tells those who apply them what has changed.
 *
 * <p>Owner thread: {@code configuration}, on which every change is made, stored and announced. May depend on:
 * core.config, core.journal (for its {@link dev.avocet.core.journal.disk.Storage}), core.security, server.config (for
 * reading JSON). Start reading at {@link dev.avocet.server.objects.ConfigurationStore}.
 */
@NullMarked
package dev.avocet.server.objects;

import org.jspecify.annotations.NullMarked;
