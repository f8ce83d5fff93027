/**
 * Requesters that wait for the replies of responders: round trips.
 *
 * <p>Each {@link dev.avocet.bench.jms.request.Requester} is a thread; a {@link dev.avocet.bench.jms.request.Responder}
 * is a listener on its session's thread in the client. A reply carries the bytes of its request, so whatever happened
 * to either shows at the requester.
 *
 * <p>May depend on: {@code traffic}, {@code plan}, the shared packages, {@code jakarta.jms}. Start reading at {@link
 * dev.avocet.bench.jms.request.RequestTraffic}.
 */
@NullMarked
package dev.avocet.bench.jms.request;

import org.jspecify.annotations.NullMarked;
