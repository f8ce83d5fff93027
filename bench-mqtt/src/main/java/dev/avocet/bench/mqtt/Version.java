package dev.avocet.bench.mqtt;

import picocli.CommandLine.IVersionProvider;

/** What {@code --version} says; the jar's manifest knows it. */
final class Version implements IVersionProvider {
    static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return "mqttbench " + (version == null ? "unpackaged" : version);
    }

    @Override
    public String[] getVersion() {
        return new String[] {text()};
    }
}
