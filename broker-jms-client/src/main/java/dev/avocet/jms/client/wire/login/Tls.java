package dev.avocet.jms.client.wire.login;

import dev.avocet.jms.client.options.Address;
import dev.avocet.jms.client.options.Option;
import dev.avocet.jms.client.options.Options;
import dev.avocet.jms.client.wire.route.WireException;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;

/** TLS as the options have it; the server's name is verified unless that is switched off. */
public final class Tls {
    private final SslContext context;
    private final boolean verifyHost;

    public Tls(final Options options) throws WireException {
        verifyHost = options.flag(Option.VERIFY_HOST);
        try {
            final SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
            builder.protocols(options.list(Option.TLS_PROTOCOLS));
            // Netty would verify by itself; one place decides.
            builder.endpointIdentificationAlgorithm(null);
            final List<String> ciphers = options.list(Option.CIPHER_SUITES);
            if (!ciphers.isEmpty()) {
                builder.ciphers(ciphers);
            }
            trust(builder, options);
            identity(builder, options);
            context = builder.build();
        } catch (final GeneralSecurityException | IOException | IllegalArgumentException e) {
            throw new WireException(
                    WireException.CONNECTION_LOST, "TLS cannot be set up as the options want it: " + e.getMessage(), e);
        }
    }

    private static void trust(final SslContextBuilder builder, final Options options)
            throws GeneralSecurityException, IOException {
        final String pem = options.text(Option.TRUST_CERTIFICATES);
        final String store = options.text(Option.TRUST_STORE);
        if (!pem.isEmpty()) {
            builder.trustManager(new File(pem));
        } else if (!store.isEmpty()) {
            final TrustManagerFactory factory =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(load(store, options.text(Option.TRUST_STORE_PASSWORD)));
            builder.trustManager(factory);
        }
    }

    private static void identity(final SslContextBuilder builder, final Options options)
            throws GeneralSecurityException, IOException {
        final String certificate = options.text(Option.CERTIFICATE);
        final String store = options.text(Option.KEY_STORE);
        if (!certificate.isEmpty()) {
            final String password = options.text(Option.PRIVATE_KEY_PASSWORD);
            builder.keyManager(
                    new File(certificate),
                    new File(options.text(Option.PRIVATE_KEY)),
                    password.isEmpty() ? null : password);
        } else if (!store.isEmpty()) {
            final String password = options.text(Option.KEY_STORE_PASSWORD);
            final KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(load(store, password), password.toCharArray());
            builder.keyManager(factory);
        }
    }

    private static KeyStore load(final String file, final String password)
            throws GeneralSecurityException, IOException {
        final KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        try (InputStream input = new FileInputStream(file)) {
            store.load(input, password.toCharArray());
        }
        return store;
    }

    public SslHandler handler(final ByteBufAllocator allocator, final Address address) {
        final SslHandler handler = context.newHandler(allocator, address.host(), address.port());
        final SSLEngine engine = handler.engine();
        final SSLParameters parameters = engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm(verifyHost ? "HTTPS" : null);
        engine.setSSLParameters(parameters);
        return handler;
    }
}
