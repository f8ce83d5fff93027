/**
 * The first configuration of a broker that others can reach and cannot misuse.
 *
 * <p>Owner thread: the main thread of a process that serves no client;
 * {@link dev.avocet.server.setup.SetupObjects}, which the requests to a running broker use too, has none. May depend
 * on: core.config, core.security, core.tls, server.certificates, server.config, server.objects, server.users. Start
 * reading at {@link dev.avocet.server.setup.Setup}.
 */
@NullMarked
package dev.avocet.server.setup;

import org.jspecify.annotations.NullMarked;
