package dev.avocet.core.config.value;

import dev.avocet.protection.SubjectName;

/** How a text must be built. */
public enum TextFormat {
    /** Anything without control characters. */
    PLAIN("text"),
    /** The name of an object. */
    NAME("a name"),
    /** The name of a queue. */
    QUEUE_NAME("a name without `+` and `#`"),
    /** The name of a file without its folder. */
    FILE_NAME("a file name"),
    /** An identifier, in which `*` may stand at the end. */
    ID_PATTERN("an identifier, `*` at its end for any rest,"),
    /** A name in which `*` may stand anywhere. */
    PATTERN("a name, `*` in it for any characters,"),
    /** A list of addresses and ranges of addresses. */
    ADDRESSES("addresses and ranges of addresses"),
    /** An address to listen on. */
    INTERFACE("`All` or an IP address"),
    /** Another server. */
    SERVER("a host and a port, such as `other.example.com:1883`,"),
    /** Where clients reach the nodes of a pair. */
    NODE_ADDRESSES("nodes with a host, and a port or none, such as `a=mq1.example.com,b=mq2.example.com:1884`,"),
    /** Where a list comes from. */
    LIST_SOURCE("a file name, or an `http` or `https` URL,"),
    /** A page of another server. */
    WEB_URL("an `http` or `https` URL,"),
    /** One or several directories. */
    DIRECTORY_URLS("one or several `ldap://host:port` or `ldaps://host:port` with blanks between,"),
    /** The name of an entry of a directory. */
    DISTINGUISHED_NAME("a distinguished name, such as `ou=people,dc=example,dc=com`,"),
    /** The subjects of certificates. */
    SUBJECT_NAMES("subjects of certificates with semicolons between, such as `CN=orders,O=Acme;CN=bills,O=Acme`,"),
    /** An attribute of the entries of a directory. */
    ATTRIBUTE("an attribute such as `uid`, or `class:attribute` such as `inetOrgPerson:uid`, `*` for any class,"),
    /** A topic filter. */
    TOPIC_FILTER("a topic filter"),
    /** A topic filter that ends with the wildcard for several levels and has no other. */
    MONITORED_FILTER("a topic filter that ends in `/#`"),
    /** The name of a share and its topic filter. */
    SHARED_FILTER("`/ShareName/TopicFilter`"),
    /** A level of detail, and levels of single components. */
    TRACE_LEVEL("a level, and levels of components, such as `5,mqtt:9,-tcp`,"),
    /** Which connections are traced. */
    TRACE_CONNECTION("`endpoint=`, `clientid=` and `clientaddr=` with values,");

    private final String description;

    TextFormat(String description) {
        this.description = description;
    }

    void check(String text) throws InvalidValueException {
        switch (this) {
            case PLAIN, PATTERN -> {} // no more than what holds for every text
            case NAME -> NameRules.checkName(text);
            case QUEUE_NAME -> NameRules.checkQueueName(text);
            case FILE_NAME -> NameRules.checkFileName(text);
            case ID_PATTERN -> PatternRules.checkIdPattern(text);
            case ADDRESSES -> AddressRanges.parse(text);
            case INTERFACE -> NameRules.checkInterface(text);
            case SERVER -> ServerAddress.parse(text);
            case NODE_ADDRESSES -> NodeAddresses.parse(text);
            case LIST_SOURCE -> NameRules.checkFileOrUrl(text);
            case WEB_URL -> NameRules.checkUrl(text);
            case DIRECTORY_URLS -> DirectoryUrl.parseAll(text);
            case DISTINGUISHED_NAME -> DirectoryRules.checkName(text);
            case SUBJECT_NAMES -> checkSubjectNames(text);
            case ATTRIBUTE -> DirectoryRules.checkAttribute(text);
            case TOPIC_FILTER -> TopicRules.checkFilter(text);
            case MONITORED_FILTER -> TopicRules.checkMonitored(text);
            case SHARED_FILTER -> TopicRules.checkShared(text);
            case TRACE_LEVEL -> TraceLevels.parse(text);
            case TRACE_CONNECTION -> TraceSelection.parse(text);
        }
    }

    private static void checkSubjectNames(String names) throws InvalidValueException {
        for (String name : SubjectName.list(names)) {
            try {
                SubjectName.check(name);
            } catch (IllegalArgumentException e) {
                throw new InvalidValueException(e.getMessage());
            }
        }
    }

    /** Whether variables may stand in it. */
    public boolean isPattern() {
        return this == ID_PATTERN || this == PATTERN;
    }

    /** In a few words. */
    public String describe() {
        return description;
    }
}
