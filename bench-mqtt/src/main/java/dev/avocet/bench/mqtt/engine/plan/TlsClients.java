package dev.avocet.bench.mqtt.engine.plan;

import dev.avocet.bench.mqtt.engine.plan.RunPlan.Certificate;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Tls;
import dev.avocet.bench.mqtt.psk.PreSharedKeys;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.File;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** TLS of the clients: OpenSSL's where it is at hand, else the JDK's; with pre-shared keys BouncyCastle's. */
public final class TlsClients {
    private TlsClients() {}

    /** Makes the handler of one connection. Called by any loop. */
    public interface Handlers {
        ChannelHandler newHandler(
                ByteBufAllocator allocator, InetSocketAddress remote, int client, @Nullable Certificate certificate);
    }

    /** @param certificates those that clients have of their own */
    public static @Nullable Handlers of(@Nullable Tls tls, List<Certificate> certificates) {
        if (tls == null) {
            return null;
        }
        if (tls.pskFile() != null) {
            PreSharedKeys keys = PreSharedKeys.read(Path.of(tls.pskFile()), tls.protocols(), tls.cipherSuites());
            return (allocator, remote, client, certificate) -> keys.newHandler(client);
        }
        ClientKeys keys = certificates.isEmpty() ? null : ClientKeys.read(certificates.stream());
        SslContext context = context(tls, keys);
        return (allocator, remote, client, certificate) -> {
            if (keys != null && certificate != null) {
                return keys.newHandler(context, allocator, remote.getHostString(), certificate);
            }
            return context.newHandler(allocator, remote.getHostString(), remote.getPort());
        };
    }

    private static SslContext context(Tls tls, @Nullable ClientKeys keys) {
        try {
            SslContextBuilder builder = SslContextBuilder.forClient()
                    .sslProvider(OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK);
            if (tls.trustFile() == null) {
                // What is measured here are test servers, whose certificates no authority has signed.
                builder.trustManager(InsecureTrustManagerFactory.INSTANCE).endpointIdentificationAlgorithm(null);
            } else {
                builder.trustManager(new File(tls.trustFile()));
            }
            if (keys != null) {
                builder.keyManager(keys);
            } else if (tls.certificateFile() != null && tls.keyFile() != null) {
                builder.keyManager(new File(tls.certificateFile()), new File(tls.keyFile()));
            }
            if (!tls.protocols().isEmpty()) {
                builder.protocols(tls.protocols());
            }
            if (!tls.cipherSuites().isEmpty()) {
                builder.ciphers(tls.cipherSuites());
            }
            SslContext built = builder.build();
            if (built.sessionContext() instanceof OpenSslSessionContext sessions) {
                sessions.setSessionCacheEnabled(tls.resumes());
            }
            return built;
        } catch (SSLException | IllegalArgumentException unusable) {
            throw new IllegalArgumentException("TLS cannot be set up: " + unusable.getMessage(), unusable);
        }
    }
}
