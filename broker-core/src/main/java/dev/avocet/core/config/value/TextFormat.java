package dev.avocet.core.config.value;

/** How a text must be built. */
public enum TextFormat {
    /** Anything without control characters. */
    PLAIN("text", text -> {}),
    /** The name of an object. */
    NAME("a name", NameRules::checkName),
    /** The name of a queue. */
    QUEUE_NAME("a name without `+` and `#`", NameRules::checkQueueName),
    /** The name of a file without its folder. */
    FILE_NAME("a file name", NameRules::checkFileName),
    /** An identifier, in which `*` may stand at the end. */
    ID_PATTERN("an identifier, `*` at its end for any rest,", PatternRules::checkIdPattern),
    /** A name in which `*` may stand anywhere. */
    PATTERN("a name, `*` in it for any characters,", text -> {}),
    /** A list of addresses and ranges of addresses. */
    ADDRESSES("addresses and ranges of addresses", AddressRanges::parse),
    /** An address to listen on. */
    INTERFACE("`All` or an IP address", NameRules::checkInterface),
    /** A topic filter. */
    TOPIC_FILTER("a topic filter", TopicRules::checkFilter),
    /** A topic filter that ends with the wildcard for several levels and has no other. */
    MONITORED_FILTER("a topic filter that ends in `/#`", TopicRules::checkMonitored),
    /** The name of a share and its topic filter. */
    SHARED_FILTER("`/ShareName/TopicFilter`", TopicRules::checkShared),
    /** A level of detail, and levels of single components. */
    TRACE_LEVEL("a level, and levels of components, such as `5,mqtt:9,-tcp`,", NameRules::checkTraceLevel);

    private final String description;
    private final Rule rule;

    TextFormat(String description, Rule rule) {
        this.description = description;
        this.rule = rule;
    }

    void check(String text) throws InvalidValueException {
        rule.check(text);
    }

    /** Whether variables may stand in it. */
    public boolean isPattern() {
        return this == ID_PATTERN || this == PATTERN;
    }

    /** In a few words. */
    public String describe() {
        return description;
    }

    @FunctionalInterface
    private interface Rule {
        void check(String text) throws InvalidValueException;
    }
}
