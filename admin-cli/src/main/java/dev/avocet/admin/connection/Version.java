package dev.avocet.admin.connection;

import picocli.CommandLine.IVersionProvider;

/** The version, as the build wrote it into the jar. */
public final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {"Avocet " + (version == null ? "development" : version)};
    }
}
