package dev.avocet.core.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.stream.IntStream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** What the log says about handshakes that failed. */
class HandshakeFailureTest {
    @Test
    void shouldNameTheSuitesThatTheClientOffers() {
        // given
        ByteBuf hello = hello(0x0A0A, 0x009D, 0xFEED, 0x00FF);

        // when
        String reason = HandshakeFailure.reason(
                new SSLHandshakeException("error:100000b8:SSL routines:OPENSSL_internal:NO_SHARED_CIPHER"),
                ClientOffer.of(hello));

        // then
        assertThat(reason).contains("that the client offers: TLS_RSA_WITH_AES_256_GCM_SHA384, 0xFEED. Choose");
        assertThat(hello.readerIndex()).isZero();
    }

    @Test
    void shouldNameOnlyTheFirstOfMany() {
        ClientOffer offer = ClientOffer.of(
                hello(IntStream.range(0, 100).map(i -> 0xC02B + i).toArray()));

        assertThat(offer.names())
                .contains("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256")
                .endsWith("and 94 more");
    }

    @Test
    void shouldReadNothingOutOfPartsOfARecord() {
        ByteBuf whole = hello(0x009D);
        for (int length = 1; length < whole.readableBytes(); length++) {
            assertThat(ClientOffer.of(whole.slice(0, length)).codes()).isEmpty();
        }
        assertThat(ClientOffer.of(whole).codes()).isEqualTo(List.of(0x009D));
    }

    private static ByteBuf hello(int... suites) {
        ByteBuf hello = Unpooled.buffer();
        hello.writeByte(0x16).writeShort(0x0301).writeShort(0).writeByte(1).writeMedium(0);
        hello.writeShort(0x0303).writeZero(32).writeByte(4).writeInt(7).writeShort(2 * suites.length);
        for (int suite : suites) {
            hello.writeShort(suite);
        }
        return hello;
    }
}
