package dev.avocet.bench.mqtt.psk;

import io.netty.channel.ChannelHandler;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.tls.ProtocolVersion;
import org.bouncycastle.tls.crypto.TlsCrypto;
import org.bouncycastle.tls.crypto.impl.jcajce.JcaTlsCryptoProvider;

/** The keys of a run, dealt to its clients in turn. Immutable; any thread. */
public final class PreSharedKeys {
    private static final List<String> PROTOCOLS = List.of("TLSv1.2", "TLSv1.3");

    private final TlsCrypto crypto = new JcaTlsCryptoProvider().create(new SecureRandom());
    private final List<PreSharedKey> keys;
    private final ProtocolVersion[] versions;
    private final int[] suites;

    private PreSharedKeys(List<PreSharedKey> keys, ProtocolVersion[] versions, int[] suites) {
        this.keys = keys;
        this.versions = versions;
        this.suites = suites;
    }

    /**
     * Reads the file of keys.
     *
     * @param protocols {@code TLSv1.2} and {@code TLSv1.3}; none for both
     * @param cipherSuites by their registered names or OpenSSL's; none for all there are
     * @throws IllegalArgumentException when the file or one of the words is of no use
     */
    public static PreSharedKeys read(Path file, List<String> protocols, List<String> cipherSuites) {
        for (String protocol : protocols) {
            if (!PROTOCOLS.contains(protocol)) {
                throw new IllegalArgumentException(
                        "--tls-protocol is TLSv1.2 or TLSv1.3 with pre-shared keys, not " + protocol);
            }
        }
        List<PskSuite> suites = (cipherSuites.isEmpty()
                        ? Arrays.stream(PskSuite.values())
                        : cipherSuites.stream().map(PskSuite::of))
                .filter(suite -> protocols.isEmpty() || protocols.contains(protocol(suite)))
                .toList();
        if (suites.isEmpty()) {
            throw new IllegalArgumentException("--cipher: none of " + cipherSuites + " belongs to " + protocols);
        }
        ProtocolVersion[] versions = Stream.of(ProtocolVersion.TLSv13, ProtocolVersion.TLSv12)
                .filter(version ->
                        suites.stream().anyMatch(suite -> suite.isOfTls13() == version.equals(ProtocolVersion.TLSv13)))
                .toArray(ProtocolVersion[]::new);
        return new PreSharedKeys(
                PskFile.read(file),
                versions,
                suites.stream().mapToInt(suite -> suite.code).toArray());
    }

    private static String protocol(PskSuite suite) {
        return suite.isOfTls13() ? "TLSv1.3" : "TLSv1.2";
    }

    /**
     * The first handler of a connection. Those behind it learn that the channel is active when the handshake is
     * complete.
     *
     * @param client its number, which chooses the key
     */
    public ChannelHandler newHandler(int client) {
        return new PskHandler(new PskClient(crypto, keys.get(client % keys.size()), versions, suites));
    }
}
