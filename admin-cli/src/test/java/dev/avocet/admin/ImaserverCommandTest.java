package dev.avocet.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.admin.outcome.ExitCode;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImaserverCommandTest {
    private FakeAdminApi api;
    private Shell shell;

    @BeforeEach
    void startBroker() throws IOException {
        api = new FakeAdminApi().with("{\"LogLevel\":\"NORMAL\",\"AdminEndpoint\":{\"Port\":9089}}");
        shell = new Shell(api);
    }

    @AfterEach
    void stopBroker() {
        api.close();
    }

    @Test
    void shouldTakeAnObjectThroughItsLife() {
        assertThat(shell.run("imaserver", "create", "Queue", "Name=q 1", "MaxMessages=10", "Description=a=b"))
                .isZero();
        assertThat(shell.run("imaserver", "create", "Queue", "Name=q 1")).isEqualTo(ExitCode.CONFLICT);
        assertThat(shell.run("imaserver", "update", "Queue", "Name=q 1", "MaxMessages=20"))
                .isZero();
        assertThat(shell.run("imaserver", "list", "Queue")).isZero();
        assertThat(shell.out().lines()).containsExactly("q 1");
        assertThat(shell.run("imaserver", "show", "Queue", "Name=q 1")).isZero();
        assertThat(shell.out().lines()).containsExactly("Name = q 1", "MaxMessages = 20", "Description = a=b");
        assertThat(shell.run("imaserver", "delete", "Queue", "Name=q 1", "DiscardMessages=true"))
                .isZero();
        assertThat(api.changes()).endsWith("DELETE /Queue/q%201?DiscardMessages=true");
        assertThat(shell.run("imaserver", "show", "Queue", "Name=q 1")).isEqualTo(ExitCode.NOT_FOUND);
    }

    @Test
    void shouldGetAndSetWhatThereIsOneOf() {
        assertThat(shell.run("imaserver", "set", "LogLevel=MAX")).isZero();
        assertThat(shell.run("imaserver", "get", "LogLevel")).isZero();
        assertThat(shell.out()).isEqualToIgnoringNewLines("LogLevel = MAX");
        assertThat(shell.run("imaserver", "set", "TraceLevel", "7")).isZero();
        assertThat(shell.run("imaserver", "update", "AdminEndpoint", "Port=9090"))
                .isZero();
        assertThat(shell.run("imaserver", "show", "AdminEndpoint")).isZero();
        assertThat(shell.out()).isEqualToIgnoringNewLines("Port = 9090");
    }

    @Test
    void shouldSortOldPoliciesIntoTheirTypes() {
        assertThat(shell.run(
                        "imaserver",
                        "create",
                        "MessagingPolicy",
                        "Name=P",
                        "DestinationType=Queue",
                        "Destination=orders*"))
                .isZero();
        assertThat(api.object("QueuePolicy", "P"))
                .containsEntry("Queue", "orders*")
                .hasSize(1);
        assertThat(shell.run("imaserver", "update", "MessagingPolicy", "Name=P", "Destination=x"))
                .isZero();
        assertThat(api.object("QueuePolicy", "P")).containsEntry("Queue", "x").hasSize(1);
        shell.run("imaserver", "create", "MessagingPolicy", "Name=T", "DestinationType=Topic");
        assertThat(shell.run("imaserver", "list", "MessagingPolicy")).isZero();
        assertThat(shell.out().lines()).containsExactly("P", "T");
        assertThat(shell.run("imaserver", "delete", "MessagingPolicy", "Name=P"))
                .isZero();
        assertThat(api.has("QueuePolicy", "P")).isFalse();
        shell.run("imaserver", "create", "SubscriptionPolicy", "Name=T");
        assertThat(shell.run("imaserver", "delete", "MessagingPolicy", "Name=T"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(shell.err()).contains("there is a TopicPolicy T and a SubscriptionPolicy T");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "imaserver|see 'broker-admin",
                "imaserver create Queues Name=q|there is no type 'Queues' of objects, did you mean 'Queue'?",
                "imaserver create Queue MaxMessages=1|say which Queue you mean, with \"Name=…\"",
                "imaserver create Queue q|'q' sets nothing; write Name=value",
                "imaserver create MessagingPolicy Name=x|must be one of Topic, Queue, Subscription",
                "imaserver create AdminEndpoint Port=1|there is one AdminEndpoint",
                "imaserver get LogLevels|did you mean 'LogLevel'?",
                "imaserver set AdminUserPassword=x|may not be an argument",
            })
    void shouldRefuseWhatCannotBeUsed(String arguments, String message) {
        assertThat(shell.run(arguments.split(" ", -1))).isEqualTo(ExitCode.USAGE);
        assertThat(shell.err()).startsWith("broker-admin: ").contains(message);
        assertThat(api.changes()).isEmpty();
    }
}
