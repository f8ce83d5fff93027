package dev.avocet.bench.agent;

/** Which version of the harnesses this is; the jar's manifest knows it. */
final class AgentVersion {
    private AgentVersion() {}

    static String text() {
        String version = AgentVersion.class.getPackage().getImplementationVersion();
        return version == null ? "unpackaged" : version;
    }
}
