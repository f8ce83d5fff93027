package dev.avocet.bench.agent;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Reads where an agent is. */
final class AgentAddress {
    private AgentAddress() {}

    static InetSocketAddress parse(String option, String text) {
        int colon = text.lastIndexOf(':');
        try {
            if (colon > 0) {
                return new InetSocketAddress(
                        InetAddress.getByName(text.substring(0, colon)), Integer.parseInt(text.substring(colon + 1)));
            }
        } catch (UnknownHostException unknown) {
            throw new IllegalArgumentException(option + ": no host is called " + text.substring(0, colon), unknown);
        } catch (IllegalArgumentException noPort) {
            throw new IllegalArgumentException(option + " is HOST:PORT, not " + text, noPort);
        }
        throw new IllegalArgumentException(option + " is HOST:PORT, not " + text);
    }
}
