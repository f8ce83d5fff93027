package dev.avocet.core.config.object;

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

    /** As it is written in the configuration. */
    @Override
    public String toString() {
        return word;
    }
}
