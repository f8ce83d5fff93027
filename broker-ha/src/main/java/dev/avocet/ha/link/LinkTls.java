package dev.avocet.ha.link;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.nio.file.Path;
import javax.net.ssl.SSLException;

/** A node's certificate and the authority that both trust, for either end of the link. */
public record LinkTls(SslContext dialing, SslContext listening) {
    private static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};

    /**
     * Reads PEM files; blocks on the disk.
     *
     * @param authority signs the certificates of both nodes, and should sign no others
     */
    public static LinkTls of(Path certificate, Path key, Path authority) throws SSLException {
        return new LinkTls(
                SslContextBuilder.forClient()
                        .keyManager(certificate.toFile(), key.toFile())
                        .trustManager(authority.toFile())
                        .protocols(VERSIONS)
                        .build(),
                SslContextBuilder.forServer(certificate.toFile(), key.toFile())
                        .trustManager(authority.toFile())
                        .clientAuth(ClientAuth.REQUIRE)
                        .protocols(VERSIONS)
                        .build());
    }
}
