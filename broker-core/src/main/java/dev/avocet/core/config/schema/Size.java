package dev.avocet.core.config.schema;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The sizes a property may have, written with a unit ({@code 4096KB}, {@code 4MB}); the record holds bytes. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Size {
    /** Smallest allowed, in KB (1024 bytes). */
    long minKb();

    /** Largest allowed, in KB (1024 bytes). */
    long maxKb();

    /** Whether the word {@code unlimited} is allowed too, which the record holds as {@link Long#MAX_VALUE}. */
    boolean orUnlimited() default false;
}
