/**
 * The way to the broker: options, logins that are kept, TLS, requests, answers, and the parts of its REST API.
 *
 * <p>Owner thread: main. Start reading at {@link dev.avocet.admin.connection.AdminClient}.
 */
@NullMarked
package dev.avocet.admin.connection;

import org.jspecify.annotations.NullMarked;
