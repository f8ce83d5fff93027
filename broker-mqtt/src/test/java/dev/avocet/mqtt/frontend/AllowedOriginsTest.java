package dev.avocet.mqtt.frontend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AllowedOriginsTest {
    @ParameterizedTest
    @CsvSource({
        "http://localhost:3000,    localhost:1883,   true",
        "http://LOCALHOST,         localhost,        true",
        "http://[::1]:3000,        [::1]:1883,       true",
        "https://evil.example,     localhost:1883,   false",
        "http://localhost.evil.ex, localhost:1883,   false",
        "null,                     localhost:1883,   false",
        "'not a url',              localhost:1883,   false",
        "http://localhost,         ,                 false",
    })
    void shouldLetInPagesOfTheSameHostNameOnly(String origin, String host, boolean allowed) {
        assertThat(AllowedOrigins.SAME_HOST.isAllowed(origin, host)).isEqualTo(allowed);
    }

    @Test
    void shouldLetInClientsThatAreNoBrowsers() {
        assertThat(AllowedOrigins.SAME_HOST.isAllowed(null, "localhost:1883")).isTrue();
    }

    @Test
    void shouldLetInNamedOrigins() {
        AllowedOrigins named = new AllowedOrigins(Set.of("https://app.example.com"));
        assertThat(named.isAllowed("https://app.example.com", "broker:1883")).isTrue();
        assertThat(named.isAllowed("https://other.example.com", "broker:1883")).isFalse();
        assertThat(new AllowedOrigins(Set.of("*")).isAllowed("https://other.example.com", "broker:1883"))
                .isTrue();
    }

    @Test
    void shouldLetCookiesCountForPagesOfTheHostAndNamedOnesAlone() {
        AllowedOrigins all = new AllowedOrigins(Set.of("*", "https://app.example.com"));
        assertThat(all.mayBringCookies("https://other.example.com", "broker:1883"))
                .isFalse();
        assertThat(all.mayBringCookies("null", "broker:1883")).isFalse();
        assertThat(all.mayBringCookies("https://app.example.com", "broker:1883"))
                .isTrue();
        assertThat(all.mayBringCookies("https://broker", "broker:1883")).isTrue();
        assertThat(all.mayBringCookies(null, null)).as("no browser").isTrue();
    }
}
