package dev.avocet.mqtt.model;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.avocet.testkit.RandomSuite;
import dev.avocet.testkit.turn.InTurn;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/**
 * What clients get is what MQTT says, whatever they do and however the loops are interleaved. A failure names its seed;
 * the system property {@value #SEED} plays that one alone.
 */
@InTurn
class MqttModelTest {
    private static final String SEED = "avocet.model.seed";
    private static final String PRODUCT_LOG = "dev.avocet.core.session.ConnectionLog";
    private static final int SEQUENCES = 10_000;
    private static final int STEPS = 30;

    private final Logger closedConnections = (Logger) LoggerFactory.getLogger(PRODUCT_LOG);

    /** Hundreds of brokers would each note their first take-over. */
    @BeforeEach
    void quieten() {
        closedConnections.setLevel(Level.ERROR);
    }

    @AfterEach
    void speakAgain() {
        closedConnections.setLevel(null);
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES) // all of them take half a minute on a machine that does nothing else
    void shouldDoWhatTheModelOfMqttSays() {
        Long chosen = Long.getLong(SEED);
        long[] seeds = chosen == null ? RandomSuite.seeds(SEQUENCES) : new long[] {chosen};
        for (long seed : seeds) {
            play(seed);
        }
    }

    private static void play(long seed) {
        Scenario scenario = new Scenario(seed);
        String wrong;
        try {
            wrong = scenario.play(STEPS);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(report(seed, e.toString(), scenario), e);
        }
        if (wrong != null) {
            throw new AssertionError(report(seed, wrong, scenario));
        }
    }

    private static String report(long seed, String wrong, Scenario scenario) {
        return wrong + "\nagain with -D" + SEED + "=" + seed + "\n  " + String.join("\n  ", scenario.log());
    }
}
