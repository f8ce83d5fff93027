/**
 * What both kinds of journal know of a log in files: scanning it, judging whether it goes on, finding its end, cutting
 * it back, and making durable what earlier lives left. It knows no kind of file.
 */
@NullMarked
package dev.avocet.core.journal.log;

import org.jspecify.annotations.NullMarked;
