package dev.avocet.protection;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What protection costs a sender and a receiver for a message of 2 KB. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class SealBenchmark {
    private static final String DESTINATION = Sealer.queue("payments");
    private static final String SENDER = "CN=sender";
    private static final String RECEIVER = "CN=receiver";
    private static final int ENVELOPES = 32;

    /** INTEGRITY and PRIVACY, and CONFIDENTIALITY with the number of messages for each key. */
    @Param({"INTEGRITY", "PRIVACY", "CONFIDENTIALITY/1", "CONFIDENTIALITY/32", "CONFIDENTIALITY/1000"})
    private String level = "";

    @Param({"EC", "RSA"})
    private String keys = "";

    private final byte[] content = new byte[2_048];
    private final byte[][] envelopes = new byte[ENVELOPES][];
    private ProtectionTerms terms;
    private Sealer sealer;
    private KeyRing receiver;
    private Opener opener;
    private int next;

    @Setup
    public void makeKeys() throws Exception {
        TestKeys authority = new TestKeys("CN=authority");
        TestKeys.Party sender = keys.equals("EC") ? authority.ec(SENDER) : authority.rsa(SENDER);
        TestKeys.Party recipient = keys.equals("EC") ? authority.ec(RECEIVER) : authority.rsa(RECEIVER);
        String[] parts = level.split("/", -1);
        terms = new ProtectionTerms(
                "benchmark",
                ProtectionLevel.valueOf(parts[0]),
                ProtectionTerms.Digest.SHA512,
                ProtectionTerms.Cipher.AES256_GCM,
                List.of(),
                List.of(RECEIVER),
                parts.length > 1 ? Integer.parseInt(parts[1]) : 1,
                Duration.ofHours(1));
        sealer = new Sealer(authority.ring(sender), terms, DESTINATION);
        receiver = authority.ring(recipient);
        Sealer other = new Sealer(authority.ring(sender), terms, DESTINATION);
        for (int i = 0; i < ENVELOPES; i++) {
            envelopes[i] = other.seal("bytes", content);
        }
        opener = new Opener(receiver);
    }

    @Benchmark
    public byte[] seal() throws ProtectionException {
        return sealer.seal("bytes", content);
    }

    /** The keys of the envelopes are unknown each time that they begin anew. */
    @Benchmark
    public OpenedMessage open() throws ProtectionException {
        if (next == ENVELOPES) {
            next = 0;
            opener = new Opener(receiver);
        }
        return opener.open(envelopes[next++], terms, DESTINATION, new ReplayGuard(), true);
    }
}
