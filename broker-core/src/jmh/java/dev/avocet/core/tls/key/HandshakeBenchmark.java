package dev.avocet.core.tls.key;

import dev.avocet.testkit.TestAuthority;
import dev.avocet.testkit.TestAuthority.Issued;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.OpenSslX509KeyManagerFactory;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.ReferenceCountUtil;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a full handshake costs both sides together, without a network. The client's part does not depend on what signs,
 * so the differences are those of the server.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class HandshakeBenchmark {
    /** With the key of the server, and what signs: the library of {@link NativeSignatures}, BoringSSL or the JDK. */
    @Param({"RSA,NATIVE", "RSA,BORINGSSL", "RSA,JDK", "EC,BORINGSSL", "EC,JDK"})
    private String key = "";

    @Param({"TLSv1.2", "TLSv1.3"})
    private String protocol = "";

    private SslContext server;
    private SslContext client;

    @Setup
    public void makeContexts() throws Exception {
        TestAuthority authority = new TestAuthority("Test CA");
        Issued issued = key.startsWith("RSA") ? authority.issueRsa("localhost") : authority.issue("localhost");
        SslProvider provider = key.endsWith("JDK") ? SslProvider.JDK : SslProvider.OPENSSL_REFCNT;
        SslContextBuilder builder = SslContextBuilder.forServer(issued.key(), issued.certificate());
        if (key.endsWith("NATIVE")) {
            builder = SslContextBuilder.forServer(OpenSslX509KeyManagerFactory.newKeyless(issued.certificate()))
                    .option(OpenSslContextOption.PRIVATE_KEY_METHOD, NativeRsaKey.of(issued.key()));
        }
        server = builder.sslProvider(provider).protocols(protocol).build();
        client = SslContextBuilder.forClient()
                .sslProvider(SslProvider.OPENSSL_REFCNT)
                .protocols(protocol)
                .endpointIdentificationAlgorithm(null)
                .trustManager(InsecureTrustManagerFactory.INSTANCE)
                .build();
    }

    @TearDown
    public void release() {
        ReferenceCountUtil.release(server);
        ReferenceCountUtil.release(client);
    }

    @Benchmark
    public void shakeHands() {
        EmbeddedChannel serving = channel(server);
        EmbeddedChannel connecting = channel(client);
        SslHandler ours = serving.pipeline().get(SslHandler.class);
        SslHandler theirs = connecting.pipeline().get(SslHandler.class);
        while (!ours.handshakeFuture().isDone() || !theirs.handshakeFuture().isDone()) {
            pass(connecting, serving);
            pass(serving, connecting);
        }
        if (!ours.handshakeFuture().isSuccess() || !theirs.handshakeFuture().isSuccess()) {
            throw new IllegalStateException(ours.handshakeFuture().cause());
        }
        connecting.finishAndReleaseAll();
        serving.finishAndReleaseAll();
    }

    private static EmbeddedChannel channel(SslContext context) {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.pipeline().addLast(context.newHandler(channel.alloc()));
        return channel;
    }

    private static void pass(EmbeddedChannel from, EmbeddedChannel to) {
        from.runPendingTasks();
        for (ByteBuf bytes = from.readOutbound(); bytes != null; bytes = from.readOutbound()) {
            to.writeInbound(bytes);
        }
    }
}
