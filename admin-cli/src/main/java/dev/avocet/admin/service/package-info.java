/**
 * The running process: its state, the pair, statistics, diagnostics.
 *
 * <p>Owner thread: main. Start reading at {@link dev.avocet.admin.service.ServiceCommand}.
 */
@NullMarked
package dev.avocet.admin.service;

import org.jspecify.annotations.NullMarked;
