package dev.avocet.bench.mqtt;

import dev.avocet.bench.mqtt.engine.plan.BrokerAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Reads addresses from the command line. */
final class Addresses {
    private static final int DEFAULT_PORT = 1883;

    /** One address, or those of the nodes of a pair with slashes between. */
    BrokerAddress target(String addresses) {
        return new BrokerAddress(
                Arrays.stream(addresses.split("/", -1)).map(this::node).toList());
    }

    private InetSocketAddress node(String hostAndPort) {
        int colon = hostAndPort.lastIndexOf(':');
        String host = colon < 0 ? hostAndPort : hostAndPort.substring(0, colon);
        try {
            int port = colon < 0 ? DEFAULT_PORT : Integer.parseInt(hostAndPort.substring(colon + 1));
            return new InetSocketAddress(InetAddress.getByName(host), port);
        } catch (NumberFormatException notAPort) {
            throw new IllegalArgumentException("--target is HOST:PORT, not " + hostAndPort, notAPort);
        } catch (UnknownHostException unknown) {
            throw new IllegalArgumentException("--target: no host is called " + host, unknown);
        }
    }

    /** One address, or those from the first to the last that differ in the last number. */
    Stream<InetAddress> sources(String text) {
        String[] ends = text.split("-", 2);
        byte[] first = address(ends[0]);
        byte[] last = address(ends[ends.length - 1]);
        int from = first[first.length - 1] & 0xFF;
        int to = last[last.length - 1] & 0xFF;
        return IntStream.rangeClosed(from, to).mapToObj(number -> withLast(first, number));
    }

    private static InetAddress withLast(byte[] address, int number) {
        byte[] changed = address.clone();
        changed[changed.length - 1] = (byte) number;
        try {
            return InetAddress.getByAddress(changed);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static byte[] address(String text) {
        try {
            return InetAddress.getByName(text).getAddress();
        } catch (UnknownHostException unknown) {
            throw new IllegalArgumentException("--source: " + text + " is not an address", unknown);
        }
    }
}
