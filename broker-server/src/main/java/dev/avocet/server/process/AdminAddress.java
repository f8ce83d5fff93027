package dev.avocet.server.process;

import dev.avocet.server.config.AdminConfig;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;

/**
 * The value of {@code --admin}.
 *
 * @param address where to listen, or null for nowhere
 */
public record AdminAddress(@Nullable HostAndPort address) {
    public AdminConfig appliedTo(AdminConfig config) {
        return address == null ? config.off() : config.listeningOn(address.host(), address.port());
    }

    public static final class Converter implements ITypeConverter<AdminAddress> {
        @Override
        public AdminAddress convert(String value) {
            return new AdminAddress(value.equals("off") ? null : HostAndPort.parse(value));
        }
    }
}
