package dev.avocet.server.process;

import dev.avocet.server.config.EndpointConfig;
import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** An address as people type it: {@code localhost:1883}, {@code 127.0.0.1:1883}, {@code [::1]:1883}. */
public record HostAndPort(String host, int port) {
    private static final Pattern FORM = Pattern.compile("(?:\\[([0-9a-fA-F:.%]+)]|([^:\\[\\]]+)):(\\d{1,5})");

    public static HostAndPort parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException(
                    "'" + text + "' is not an address; write HOST:PORT, such as 127.0.0.1:1883 or [::1]:1883");
        }
        String host = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
        return new HostAndPort(host, Integer.parseInt(matcher.group(3)));
    }

    /** The address as text, with an IPv6 host in brackets. */
    public static String show(InetSocketAddress address) {
        return show(address.getAddress().getHostAddress(), address.getPort());
    }

    public static String show(String host, int port) {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }

    public EndpointConfig endpoint() {
        return EndpointConfig.defaults().listeningOn(show(host, port), host, port);
    }

    public static final class Converter implements ITypeConverter<HostAndPort> {
        @Override
        public HostAndPort convert(String value) {
            return parse(value);
        }
    }
}
