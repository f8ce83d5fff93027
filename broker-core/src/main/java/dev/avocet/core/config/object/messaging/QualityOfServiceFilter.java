package dev.avocet.core.config.object.messaging;

import dev.avocet.core.message.QualityOfService;

/** Which messages a subscription takes. */
public enum QualityOfServiceFilter {
    /** All. */
    NONE("None"),
    /** Those published at QoS 0. */
    AT_MOST_ONCE("QoS=0"),
    /** Those published at QoS 1 and 2. */
    RELIABLE("QoS>0");

    private final String word;

    QualityOfServiceFilter(String word) {
        this.word = word;
    }

    /** Whether a message that was published at that level is taken. */
    public boolean takes(QualityOfService published) {
        return switch (this) {
            case NONE -> true;
            case AT_MOST_ONCE -> published == QualityOfService.AT_MOST_ONCE;
            case RELIABLE -> published != QualityOfService.AT_MOST_ONCE;
        };
    }

    /** As it is written in the configuration. */
    @Override
    public String toString() {
        return word;
    }
}
