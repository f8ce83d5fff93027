/**
 * The administrator's command line, {@code bin/broker-admin}: asks a broker over HTTP, and hands what needs the
 * broker's files to {@code bin/broker} beside it.
 *
 * <p>Owner thread: main. May depend on: picocli, Jackson's streaming half; on no module of the broker. Start reading at
 * {@link dev.avocet.admin.Main}.
 */
@NullMarked
package dev.avocet.admin;

import org.jspecify.annotations.NullMarked;
