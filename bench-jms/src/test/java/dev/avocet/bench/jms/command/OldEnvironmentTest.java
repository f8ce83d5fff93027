package dev.avocet.bench.jms.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OldEnvironmentTest {
    @ParameterizedTest
    @CsvSource({
        "IMAServer=broker, --target=broker:16102",
        "IMAServer=10.0.0.1 IMAPort=1883, --target=10.0.0.1:1883",
        "IMAServer=::1 IMAPort=1883, --target=[::1]:1883",
        "IMAServer=broker IMATransport=tcps, --target=avocets://broker:16102",
        "IMAServer=broker UseSecureConn=1 IMATransport=tcp, --target=avocets://broker:16102",
        "IMAPort=1883 UseSecureConn=0 SSLCipher=any, ''",
        "DisableACK=1, --disable-ack",
        "DisableACK=0 ClientMessageCache=, ''",
        "ClientMessageCache=500 AckInterval=20, --client-message-cache=500 --acknowledge-every=20",
        "Username=ann, --user=ann",
        "AsyncSend=0, --property=asyncTransactionSend=false",
        "RecvSockBuffer=32K SendSockBuffer=1M, --property=recvSockBuffer=32768 --property=sendSockBuffer=1048576",
        "SampleRate=1000 PATH=/bin, ''"
    })
    void shouldWriteItAsOurs(String environment, String ours) {
        assertThat(options("run", environment)).isEqualTo(ours);
    }

    @ParameterizedTest
    @CsvSource({
        "run --target=here:1, IMAServer=broker, ''",
        "run --target here:1, IMAServer=broker, ''",
        "run N --jms:target=here:1, IMAServer=broker, ''",
        "run --no-disable-ack, DisableACK=1, ''",
        "run --property recvsockbuffer=1, RecvSockBuffer=2 SendSockBuffer=3, --property=sendSockBuffer=3",
        "run --target=avocets://here:1, UseSecureConn=1, ''",
        "list, IMAServer=broker IMAServerSets=2, ''",
        "run --help, IMAServerSets=2, ''"
    })
    void shouldBeOutweighedByTheCommandLine(String arguments, String environment, String ours) {
        assertThat(options(arguments, environment)).isEqualTo(ours);
    }

    @ParameterizedTest
    @CsvSource({
        "IMAServerSets=2, name each broker with --target",
        "'IMAServer=a,b', --target each has all clients",
        "IMATransport=udp, tcp or tcps",
        "DisableACK=yes, 0 or 1",
        "RecvSockBuffer=much, 64K",
        "ACKInterval=10, it is AckInterval",
        "Password=secret, --password-file",
        "LOADBAL=70:30, same part of the rate",
        "PipeCommands=1, no commands",
        "GraphiteIP=here, --csv",
        "UseSecureConn=1 SSLCipher=Best, cipherSuites"
    })
    void shouldSayWhatHasNoCounterpart(String environment, String explanation) {
        assertThatThrownBy(() -> options("run", environment))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(explanation)
                .hasMessageNotContaining("secret");
    }

    @Test
    void shouldNotConnectWithoutTlsWhereTheEnvironmentWantsIt() {
        assertThatThrownBy(() -> options("run --target=here:1", "UseSecureConn=1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("avocets://HOST:PORT");
    }

    @Test
    void shouldBeUsedAndSaidByTheProgram() {
        // given
        StringWriter err = new StringWriter();
        PrintWriter writer = new PrintWriter(err, true);

        // when: there is no such option of the client
        int exitCode = JmsBench.execute(
                Map.of("IMAServer", "127.0.0.1", "IMAPort", "1", "ClientMessageCache", "many"), writer, writer, "run");

        // then
        assertThat(exitCode).isEqualTo(2);
        assertThat(err.toString())
                .contains("taken from the environment: --target=127.0.0.1:1 --client-message-cache=many", "'many'")
                .doesNotContain("\tat ");
    }

    private static String options(String arguments, String environment) {
        Map<String, String> variables = Arrays.stream(environment.split(" ", -1))
                .map(each -> each.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
        return String.join(" ", OldEnvironment.options(List.of(arguments.split(" ", -1)), variables));
    }
}
