package dev.avocet.server.process;

import picocli.CommandLine.IVersionProvider;

/** The broker's version, as the build wrote it into the jar. */
public final class Version implements IVersionProvider {
    /** Such as {@code 0.1.0}; {@code development} outside a jar. */
    public static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    @Override
    public String[] getVersion() {
        return new String[] {
            "Avocet " + text(),
            "Java " + Runtime.version() + ", " + System.getProperty("java.vm.name"),
            System.getProperty("os.name") + " " + System.getProperty("os.version") + ", "
                    + System.getProperty("os.arch")
        };
    }
}
