package dev.avocet.core.journal.chronicle;

import dev.avocet.core.journal.JournalException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * What Chronicle Queue needs of the JVM. Without it opening a queue fails deep inside, with a message that tells an
 * administrator nothing; so it is looked at before.
 */
public final class ChronicleFlags {
    /** Everything that may be missing, as it is written on the command line. */
    public static final String EXPORT_CHANNELS = "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED";

    public static final String EXPORT_REFERENCES = "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED";
    public static final String OPEN_REFLECTION = "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED";

    private ChronicleFlags() {}

    /** The flags that this JVM was started without; empty when all is well. */
    public static List<String> missing() {
        Module java = Object.class.getModule();
        Module ours = ChronicleFlags.class.getModule();
        List<String> missing = new ArrayList<>();
        if (!java.isExported("sun.nio.ch", ours)) {
            missing.add(EXPORT_CHANNELS);
        }
        if (!java.isExported("jdk.internal.ref", ours)) {
            missing.add(EXPORT_REFERENCES);
        }
        if (!java.isOpen("java.lang.reflect", ours)) {
            missing.add(OPEN_REFLECTION);
        }
        return missing;
    }

    /**
     * Refuses to go on without them.
     *
     * @throws JournalException that names the missing flags and says where they belong
     */
    static void check() throws JournalException {
        List<String> missing = missing();
        if (!missing.isEmpty()) {
            throw new JournalException("this JVM was started without " + String.join(" ", missing)
                    + ", which the Chronicle journal needs. bin/broker gives it; who starts the broker otherwise puts it on the"
                    + " command line or into the environment variable JDK_JAVA_OPTIONS");
        }
    }

    /**
     * Switches off what Chronicle does unasked: a banner on standard output, a report to its makers, a thread that
     * watches the disk. It looks at these properties once, when its first class is loaded. Who has set one otherwise
     * keeps it.
     */
    static void silence() {
        Properties properties = System.getProperties();
        properties.putIfAbsent("chronicle.announcer.disable", "true");
        properties.putIfAbsent("chronicle.analytics.disable", "true");
        properties.putIfAbsent("chronicle.disk.monitor.disable", "true");
    }
}
