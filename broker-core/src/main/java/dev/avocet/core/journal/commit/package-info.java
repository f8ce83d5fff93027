/**
 * How many producers' records become durable together: they are appended in batches by one thread and forced by
 * another, or step by step by a test. It knows no kind of journal.
 */
@NullMarked
package dev.avocet.core.journal.commit;

import org.jspecify.annotations.NullMarked;
