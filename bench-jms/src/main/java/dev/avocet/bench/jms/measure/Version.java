package dev.avocet.bench.jms.measure;

/** Which jmsbench this is. */
public final class Version {
    private Version() {}

    public static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return "jmsbench " + (version == null ? "(not from a jar)" : version);
    }
}
