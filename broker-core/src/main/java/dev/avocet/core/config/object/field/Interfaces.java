package dev.avocet.core.config.object.field;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** What is known of addresses to listen on. */
public final class Interfaces {
    private Interfaces() {}

    /** Whether other machines can reach an address; it is {@code All} or an IP address, so no name service is asked. */
    public static boolean isExposed(String address) {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(address);
        try {
            return bytes == null || !InetAddress.getByAddress(bytes).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return true;
        }
    }
}
