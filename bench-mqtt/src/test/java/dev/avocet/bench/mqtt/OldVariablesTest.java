package dev.avocet.bench.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Environments of the reference harness. */
final class OldVariablesTest {
    @Test
    void shouldTakeServersAndPortsInPairs() {
        assertThat(options("IMAServer", "10.0.0.1 10.0.0.2", "IMAPort", "16901 16902"))
                .containsExactly("--target=10.0.0.1:16901,10.0.0.2:16902");
        assertThat(options("IMAServer", "10.0.1.1:10.0.0.1 10.0.1.2:10.0.0.2", "IMAPort", "16901"))
                .containsExactly("--target=10.0.0.1:16901,10.0.0.2:16901", "--source=10.0.1.1,10.0.1.2");
        assertThat(options("IMAPort", "16901")).containsExactly("--target=localhost:16901");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SIPList | 10.0.0.1 10.0.0.2 | --source=10.0.0.1,10.0.0.2",
                "UseSecureConn | 1 | --tls=true",
                "SSLCipher | PSK-AES256-CBC-SHA | --cipher=PSK-AES256-CBC-SHA",
                "SSLClientMeth | TLSv12 | --tls-protocol=TLSv1.2",
                "MQTTKeepAlive | 60 | --keep-alive=60",
                "MQTTVersion | 4 | --mqtt-version=4",
                "IOProcThreads | 2 | --threads=2",
                "PipeCommands | /run/commands | --command-pipe=/run/commands"
            })
    void shouldTranslate(String name, String value, String option) {
        assertThat(options(name, value)).containsExactly(option);
    }

    @Test
    void shouldMakeARateOfPauses() {
        assertThat(options("DelayTime", "100", "DelayCount", "1")).containsExactly("--connect-rate=10000.0");
        assertThat(options("DelayTime", "100", "DelayCount", "0")).isEmpty();
    }

    @Test
    void shouldNotMindWhatSaysNothing() {
        assertThat(options(
                        "PATH",
                        "/bin",
                        "UseSecureConn",
                        "0",
                        "BatchingDelay",
                        "0",
                        "IMAClient",
                        "MQTT",
                        "PipeCommands",
                        "0",
                        "NumUsers",
                        "",
                        "DelayTime",
                        ""))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "BatchingDelay | 50 | give --batch",
                "Affinity_io0 | 0x3 | taskset",
                "NumUsers | 10 | give --client-list",
                "Password | secret | set MQTTBENCH_PASSWORD",
                "GraphiteIP | 10.0.0.9 | give --csv or --json",
                "SSLCipher | RSA | RSA is a class of cipher suites",
                "SSLClientMeth | SSLv3 | SSLv3 is not offered",
                "UseSecureConn | 2 | say it by options",
                "IMAClient | JMS | use jmsbench",
                "IMAPort | 1 2 | it has 2 ports for 1 servers",
                "DelayTime | soon | the environment's DelayTime is a number"
            })
    void shouldRefuseWithAdvice(String name, String value, String advice) {
        assertThatThrownBy(() -> options(name, value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name)
                .hasMessageContaining(advice)
                .hasMessageNotContaining("secret");
    }

    @Test
    void shouldCountForLessThanWhatIsTyped() {
        List<String> arguments =
                Main.withVariables(List.of("run", "--target=here", "--idle=1"), Map.of("IMAServer", "there"));

        assertThat(arguments).containsExactly("run", "--target=there:1883", "--target=here", "--idle=1");
        assertThat(Main.withVariables(List.of("list"), Map.of("NumUsers", "5"))).containsExactly("list");
    }

    private static List<String> options(String... namesAndValues) {
        Map<String, String> environment = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            environment.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return OldVariables.options(environment);
    }
}
