package dev.avocet.core.config.schema;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What a property is called outside. Without this, as the record component with a capital first letter. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Named {
    /** The name. */
    String value();

    /** Other names under which a value is taken, and never shown. */
    String[] aliases() default {};
}
