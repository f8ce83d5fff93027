package dev.avocet.core.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.config.object.security.TlsVersion;
import dev.avocet.core.time.SystemClock;
import dev.avocet.core.tls.client.ClientCertificates;
import dev.avocet.core.tls.client.ClientTrust;
import dev.avocet.core.tls.key.CipherClass;
import dev.avocet.core.tls.key.KeySource;
import dev.avocet.core.tls.key.TlsException;
import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.TestAuthority.Issued;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reading certificates and keys, and replacing them. */
class TlsContextTest {
    private static final TestAuthority AUTHORITY = new TestAuthority("Test CA");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(TlsLibrary.class)
    void shouldReadPemFiles(TlsLibrary library) throws TlsException {
        // given
        Instant expiry = Instant.now().plus(Duration.ofDays(90)).truncatedTo(ChronoUnit.SECONDS);
        Issued server = AUTHORITY.issue("localhost", expiry);

        // when
        try (TlsContext context = load(pem(server, server), library)) {
            // then
            assertThat(context.expiry()).isEqualTo(expiry);
            SslHandler handler = context.newHandler(UnpooledByteBufAllocator.DEFAULT);
            assertThat(handler.engine().getUseClientMode()).isFalse();
            assertThat(List.of(handler.engine().getEnabledProtocols())).contains("TLSv1.2", "TLSv1.3");
            assertThat(List.of(handler.engine().getEnabledProtocols())).doesNotContain("TLSv1", "TLSv1.1");
            ReferenceCountUtil.release(handler.engine());
        }
    }

    @Test
    void shouldReadRsaKeysAndKeyStores() throws TlsException {
        Issued rsa = AUTHORITY.issueRsa("localhost");
        KeySource store = new KeySource.Pkcs12(rsa.writeKeyStore(directory.resolve("s.p12"), "secret"), "secret");

        load(pem(rsa, rsa), TlsLibrary.BEST).close();
        rsa.writeOldKey(directory.resolve("key.pem"));
        load(new KeySource.Pem(directory.resolve("server.pem"), directory.resolve("key.pem"), null), TlsLibrary.JDK)
                .close();
        load(store, TlsLibrary.BEST).close();
    }

    @Test
    void shouldSayWhatIsWrongWithFiles() throws IOException {
        Issued server = AUTHORITY.issue("localhost");
        Path text = Files.writeString(directory.resolve("text.pem"), "hello");
        KeySource store = new KeySource.Pkcs12(server.writeKeyStore(directory.resolve("s.p12"), "secret"), "wrong");

        assertThatThrownBy(() -> load(pem(server, AUTHORITY.issue("other")), TlsLibrary.BEST))
                .hasMessageContaining("does not belong to the first certificate");
        assertThatThrownBy(() -> load(new KeySource.Pem(directory.resolve("none.pem"), text, null), TlsLibrary.BEST))
                .hasMessageContaining("text.pem holds no private key");
        assertThatThrownBy(() ->
                        load(new KeySource.Pem(directory.resolve("none.pem"), keyFile(server), null), TlsLibrary.BEST))
                .hasMessageContaining("there is no file")
                .hasMessageContaining("none.pem");
        assertThatThrownBy(() -> load(new KeySource.Pem(text, keyFile(server), null), TlsLibrary.BEST))
                .hasMessageContaining("text.pem");
        assertThatThrownBy(() -> load(store, TlsLibrary.BEST)).hasMessageContaining("s.p12");
    }

    @Test
    void shouldKeepTheOldCertificateWhenTheNewOneIsBad() throws TlsException, IOException {
        // given
        Issued server = AUTHORITY.issue("localhost");
        KeySource files = pem(server, server);
        try (TlsContext context = load(files, TlsLibrary.BEST)) {
            Instant before = context.expiry();
            Files.writeString(directory.resolve("server.pem"), "half of a cert");

            // when
            assertThatThrownBy(context::reload).isInstanceOf(TlsException.class);

            // then
            assertThat(context.expiry()).isEqualTo(before);
            ReferenceCountUtil.release(
                    context.newHandler(UnpooledByteBufAllocator.DEFAULT).engine());
        }
    }

    @Test
    void shouldHaveAPlaceForSoManyHandshakes() throws TlsException {
        Issued server = AUTHORITY.issue("localhost");
        TlsOptions one = new TlsOptions(
                pem(server, server),
                ClientTrust.NONE,
                TlsVersion.TLS_1_2,
                CipherClass.MEDIUM,
                false,
                ClientCertificates.NONE,
                TlsLibrary.BEST,
                1_000,
                1);
        try (TlsContext context = TlsContext.load("test", one, new SystemClock())) {
            assertThat(context.beginHandshake()).isTrue();
            assertThat(context.beginHandshake()).isFalse();
            context.endHandshake();
            assertThat(context.beginHandshake()).isTrue();
        }
    }

    @Test
    void shouldOfferAStaticKeyExchangeOnlyWhereItIsAskedFor() {
        assertThat(CipherClass.FAST.suites()).contains("TLS_RSA_WITH_AES_256_GCM_SHA384");
        assertThat(CipherClass.MEDIUM.suites()).noneMatch(suite -> suite.startsWith("TLS_RSA_"));
        assertThat(CipherClass.BEST.suites())
                .noneMatch(suite -> suite.startsWith("TLS_RSA_") || suite.contains("_128_"));
    }

    private static TlsContext load(KeySource key, TlsLibrary library) throws TlsException {
        TlsOptions usual = TlsOptions.of(key);
        TlsOptions options = new TlsOptions(
                key,
                ClientTrust.NONE,
                usual.minimumVersion(),
                usual.ciphers(),
                false,
                usual.clientCertificates(),
                library,
                usual.handshakeTimeoutMs(),
                usual.maxHandshakes());
        return TlsContext.load("test", options, new SystemClock());
    }

    private KeySource pem(Issued certificate, Issued key) {
        return new KeySource.Pem(certificate.writeCertificate(directory.resolve("server.pem")), keyFile(key), null);
    }

    private Path keyFile(Issued key) {
        return key.writeKey(directory.resolve("key.pem"));
    }
}
