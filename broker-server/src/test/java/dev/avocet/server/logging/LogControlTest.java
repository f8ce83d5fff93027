package dev.avocet.server.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.avocet.core.config.ChangeReader;
import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.LiveUse;
import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.server.config.JsonTree;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogControlTest {
    private static final String NEIGHBOUR = "dev.avocet.core.broker.Some";

    private final LoggerContext context = new LoggerContext();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final List<String> trace = new ArrayList<>();
    private LogControl control;

    @BeforeEach
    void begin() {
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.INFO);
        log.setContext(context);
        log.start();
        root.addAppender(log);
        control = new LogControl(context, trace::add);
    }

    @AfterEach
    void end() {
        control.close();
        context.stop();
    }

    @ParameterizedTest
    @CsvSource({
        "LogLevel, dev.avocet.core.broker.Some",
        "ConnectionLog, dev.avocet.core.session.ConnectionLog",
        "ConnectionLog, dev.avocet.core.endpoint.AcceptFailures",
        "SecurityLog, SecurityLog",
        "SecurityLog, dev.avocet.core.security.throttle.LoginThrottle",
        "SecurityLog, dev.avocet.server.rest.login.AdminLogin",
        "SecurityLog, dev.avocet.server.directory.Directory",
        "AdminLog, AdminLog"
    })
    void shouldGiveEachPartOfTheLogItsDetail(String property, String logger) throws Exception {
        assertThat(levels(property, "MIN", logger)).containsExactly(Level.WARN);
        assertThat(levels(property, "NORMAL", logger)).containsExactly(Level.INFO, Level.WARN);
        assertThat(levels(property, "MAX", logger)).containsExactly(Level.DEBUG, Level.INFO, Level.WARN);
        String other = property.equals("LogLevel") ? "AdminLog" : NEIGHBOUR;
        assertThat(levels(property, "MIN", other)).as("the rest").containsExactly(Level.INFO, Level.WARN);
    }

    @Test
    void shouldLeaveTheLevelsOfTheShippedConfigurationWhereNothingElseIsWanted() throws Exception {
        // given
        control.close();
        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(Level.WARN);
        control = new LogControl(context, trace::add);

        // then
        assertThat(levels("LogLevel", "NORMAL", NEIGHBOUR)).containsExactly(Level.WARN);
        assertThat(levels("LogLevel", "MAX", NEIGHBOUR)).containsExactly(Level.DEBUG, Level.INFO, Level.WARN);
        control.close();
        assertThat(context.getLogger("dev.avocet").getLevel()).isNull();
    }

    @Test
    void shouldReturnToTheLevelsThatWereSetOnLoggersThemselves() throws Exception {
        // given
        control.close();
        context.getLogger("dev.avocet.core.store").setLevel(Level.ERROR);
        context.getLogger("AdminLog").setLevel(Level.ERROR);
        control = new LogControl(context, trace::add);

        // when
        apply("{\"TraceLevel\": \"5,store:9\", \"AdminLog\": \"MAX\"}");
        apply("{\"TraceLevel\": \"5\", \"AdminLog\": \"NORMAL\"}");

        // then
        assertThat(context.getLogger("dev.avocet.core.store").getLevel()).isEqualTo(Level.ERROR);
        assertThat(context.getLogger("AdminLog").getLevel()).isEqualTo(Level.ERROR);
        control.close();
        assertThat(context.getLogger("AdminLog").getLevel()).isEqualTo(Level.ERROR);
    }

    @Test
    void shouldGiveTheTraceWhatTheLogDoesNotGet() throws Exception {
        // when
        apply("{\"TraceLevel\": \"5,engine:7\"}");
        say(NEIGHBOUR);

        // then
        assertThat(log.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.INFO, Level.WARN);
        assertThat(trace).hasSize(3).first().asString().contains("log DEBUG").endsWith(NEIGHBOUR + ": said");
    }

    @Test
    void shouldTraceComponentsByThemselves() throws Exception {
        // when
        apply("{\"TraceLevel\": \"9,-store,admin:0\"}");
        say("dev.avocet.core.store.Store");
        say("dev.avocet.server.Server");
        say("org.eclipse.jetty.Server");

        // then
        assertThat(trace).isEmpty();
        say("dev.avocet.core.journal.file.FileJournal");
        assertThat(trace).isEmpty();
        say("dev.avocet.core.queue.MessageQueue");
        assertThat(trace).hasSize(4);
    }

    @Test
    void shouldTraceNothingBelowSeven() throws Exception {
        apply("{\"TraceLevel\": \"6\"}");

        say(NEIGHBOUR);

        assertThat(trace).isEmpty();
        assertThat(context.getLogger(NEIGHBOUR).isDebugEnabled()).isFalse();
    }

    @Test
    void shouldStopTracing() throws Exception {
        // given
        apply("{\"TraceLevel\": \"9\"}");

        // when
        apply("{\"TraceLevel\": \"5\"}");
        say(NEIGHBOUR);

        // then
        assertThat(trace).isEmpty();
        assertThat(context.getLogger(NEIGHBOUR).isDebugEnabled()).isFalse();
    }

    private List<Level> levels(String property, String detail, String logger) throws Exception {
        apply("{\"" + property + "\": \"" + detail + "\"}");
        log.list.clear();
        say(logger);
        return log.list.stream().map(ILoggingEvent::getLevel).toList();
    }

    private void say(String logger) {
        Logger speaker = context.getLogger(logger);
        speaker.trace("said");
        speaker.debug("said");
        speaker.info("said");
        speaker.warn("said");
    }

    private void apply(String json) throws Exception {
        Configuration configuration = Configuration.EMPTY.changed(
                ChangeReader.read(JsonTree.parse("test", json)), LiveUse.NONE, UnaryOperator.identity());
        control.apply(configuration.single(Singletons.class));
    }
}
