package dev.avocet.core.config.schema;

import dev.avocet.core.config.value.SubstitutionVariable;
import dev.avocet.core.config.value.TextFormat;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The texts a property may have. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Text {
    /** Most characters. */
    int maxLength() default 1024;

    /** How it must be built. */
    TextFormat format() default TextFormat.PLAIN;

    /** Which variables may stand in it. */
    SubstitutionVariable[] variables() default {};
}
