/**
 * The command line of the reference product, in terms of this one's.
 *
 * <p>Owner thread: main. Start reading at {@link dev.avocet.admin.imaserver.ImaserverCommand}.
 */
@NullMarked
package dev.avocet.admin.imaserver;

import org.jspecify.annotations.NullMarked;
