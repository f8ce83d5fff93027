package dev.avocet.bench.mqtt.engine.plan;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.avocet.bench.mqtt.engine.plan.RunPlan.Certificate;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** The certificates of clients that each show their own; one context of TLS serves them all. Any thread. */
final class ClientKeys extends X509ExtendedKeyManager {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    private final Map<String, Shown> shown = new ConcurrentHashMap<>();
    private final Map<SSLEngine, String> handshakes = new ConcurrentHashMap<>();

    /** @param number of those that are shown, from 1 */
    private record Shown(int number, X509Certificate[] chain, PrivateKey key) {}

    private ClientKeys() {}

    /** @throws IllegalArgumentException when a file cannot be used; says which */
    static ClientKeys read(Stream<Certificate> certificates) {
        ClientKeys keys = new ClientKeys();
        certificates
                .distinct()
                .forEach(each -> keys.shown.put(
                        alias(each), new Shown(keys.shown.size() + 1, chain(each.file()), key(each.keyFile()))));
        return keys;
    }

    private static X509Certificate[] chain(String file) {
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            X509Certificate[] chain = CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                    .map(X509Certificate.class::cast)
                    .toArray(X509Certificate[]::new);
            if (chain.length > 0) {
                return chain;
            }
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("a client's certificate: " + file + " cannot be read", unreadable);
        } catch (GeneralSecurityException malformed) {
            throw new IllegalArgumentException(
                    "a client's certificate: " + file + " is not a certificate (PEM)", malformed);
        }
        throw new IllegalArgumentException("a client's certificate: " + file + " is empty");
    }

    private static PrivateKey key(String file) {
        Matcher key = KEY.matcher(text(file));
        if (key.find()) {
            PKCS8EncodedKeySpec encoded =
                    new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(key.group(1)));
            for (String algorithm : ALGORITHMS) {
                PrivateKey found = key(algorithm, encoded);
                if (found != null) {
                    return found;
                }
            }
        }
        throw new IllegalArgumentException(
                "a client's key: " + file + " is not a key without a password in PKCS #8, which begins with"
                        + " BEGIN PRIVATE KEY; openssl pkcs8 -topk8 -nodes makes one of another");
    }

    private static @Nullable PrivateKey key(String algorithm, PKCS8EncodedKeySpec encoded) {
        try {
            return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
        } catch (InvalidKeySpecException another) {
            return null;
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException(missing);
        }
    }

    private static String text(String file) {
        try {
            return Files.readString(Path.of(file), ISO_8859_1);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("a client's key: " + file + " cannot be read", unreadable);
        }
    }

    private static String alias(Certificate certificate) {
        return certificate.file() + '\n' + certificate.keyFile();
    }

    /** Makes the handler of a connection that shows one of those that were read. */
    SslHandler newHandler(SslContext context, ByteBufAllocator allocator, String host, Certificate certificate) {
        String alias = alias(certificate);
        Shown its = Objects.requireNonNull(shown.get(alias));
        // Sessions are kept by host and port. A client that resumes one shows nothing, so it must not resume that of
        // another
        // certificate; it is
        // only for this that TLS looks at the port.
        SslHandler handler = context.newHandler(allocator, host, its.number);
        SSLEngine engine = handler.engine();
        handshakes.put(engine, alias);
        handler.handshakeFuture().addListener(done -> handshakes.remove(engine));
        return handler;
    }

    // --- what TLS asks for

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, SSLEngine engine) {
        return handshakes.get(engine);
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        Shown its = shown.get(alias);
        return its == null ? null : its.chain.clone();
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        Shown its = shown.get(alias);
        return its == null ? null : its.key;
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }
}
