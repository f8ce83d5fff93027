/**
 * The configuration: a tree of records read from one JSON file, validated whole, with every problem reported at once.
 *
 * <p>A new option is one record component with its {@link dev.avocet.core.config.schema.Doc}, one default constant, and
 * one argument in the record's {@code defaults()}. Reading, range checks, the nearest-name advice and
 * docs/configuration.md follow from these.
 *
 * <p>Owner thread: none; everything is immutable or used by one thread at start. May depend on: core.config,
 * core.security. Start reading at {@link dev.avocet.server.config.ServerConfig} and
 * {@link dev.avocet.server.config.ConfigurationFile}.
 */
@NullMarked
package dev.avocet.server.config;

import org.jspecify.annotations.NullMarked;
