package dev.avocet.core.config.schema;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The property is checked and kept, and has no effect before something comes that this broker does not have yet. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface EffectWith {
    /** What has to come, as the end of "Kept; takes effect with". */
    String value();
}
