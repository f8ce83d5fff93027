/**
 * Requests that show and change the configuration: its objects, versions and change sets, uploaded files, users and
 * directories, and trials of logins and tokens. Owner thread: the {@code admin} threads. May depend on:
 * rest.request. Start at {@link dev.avocet.server.rest.config.ConfigurationRequests}.
 */
@NullMarked
package dev.avocet.server.rest.config;

import org.jspecify.annotations.NullMarked;
