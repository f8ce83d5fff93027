package dev.avocet.admin.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.admin.document.Documents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HardeningChecksTest {
    private static final String SAFE = """
            {"Endpoint": {"field": {"Enabled": true, "Interface": "All", "SecurityProfile": "p", "TopicPolicies": "mine"}},
             "SecurityProfile": {"p": {"TLSEnabled": true, "UsePasswordAuthentication": true, "UseClientCertificate": false,
                "Ciphers": "Medium", "AllowNullPassword": false, "CRLProfile": "", "PreSharedKeys": ""}},
             "OAuthProfile": {"o": {"TokenCheck": "KeySet", "KeySetSource": "https://login/jwks", "Audience": "broker",
                "CheckServerCert": "PublicTrust", "TokenSendMethod": "URLParam"}},
             "LTPAProfile": {"l": {"TokenVersions": "LtpaToken2"}},
             "LDAP": {"Enabled": true, "URL": "ldap://one ldaps://two", "StartTLS": true, "CheckServerCert": "TrustStore"},
             "AdminEndpoint": {"Interface": "127.0.0.1", "SecurityProfile": ""}}""";

    @Test
    void shouldFindNothingInSafeObjects() {
        assertThat(findings(SAFE, "{}"))
                .containsExactly("OK hardening: the objects leave open nothing that docs/security.md warns of");
        assertThat(findings("{}", "{}")).as("objects that are not known").isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"TLSEnabled\": true | \"TLSEnabled\": false | WARN endpoint field: can be reached by others without TLS",
                "\"UsePasswordAuthentication\": true | \"UsePasswordAuthentication\": false"
                        + " | FAIL endpoint field: can be reached by others and lets clients in",
                "\"TopicPolicies\": \"mine\" | \"TopicPolicies\": \"mine,DemoTopicPolicy\" | WARN endpoint field: has the sample",
                "\"Ciphers\": \"Medium\" | \"Ciphers\": \"Fast\" | WARN SecurityProfile p: offers a cipher suite",
                "\"AllowNullPassword\": false | \"AllowNullPassword\": true | WARN SecurityProfile p: lets users without",
                "\"UseClientCertificate\": false | \"UseClientCertificate\": true"
                        + " | WARN SecurityProfile p: takes client certificates and asks no list",
                "https://login/jwks | http://login/jwks | FAIL OAuthProfile o: http://login/jwks is not encrypted",
                "\"PublicTrust\" | \"DisableVerify\" | FAIL OAuthProfile o: does not check",
                "\"Audience\": \"broker\" | \"Audience\": \"\" | WARN OAuthProfile o: takes tokens that are for other",
                "\"KeySet\" | \"Resource\" | WARN OAuthProfile o: sends tokens in URLs",
                "\"LtpaToken2\" | \"LtpaToken2,LtpaToken\" | WARN LTPAProfile l: takes the older LtpaToken",
                "\"StartTLS\": true | \"StartTLS\": false | FAIL LDAP: passwords go to",
                "\"TrustStore\" | \"DisableVerify\" | FAIL LDAP: does not check",
                "\"Interface\": \"127.0.0.1\" | \"Interface\": \"All\" | FAIL AdminEndpoint: can be reached by others",
            })
    void shouldFindWhatIsOpenToAttackers(String safe, String unsafe, String found) {
        assertThat(SAFE).contains(safe);
        assertThat(findings(SAFE.replace(safe, unsafe), "{}"))
                .singleElement()
                .asString()
                .startsWith(found);
    }

    @Test
    void shouldFindWhatTheStartupFileOpens() {
        assertThat(findings("{}", "{\"security\": {\"throttleLogins\": false, \"allowAnonymous\": \"always\"}}"))
                .hasSize(2)
                .anyMatch(found -> found.startsWith("WARN startup file: security.throttleLogins is off"))
                .anyMatch(found -> found.startsWith("FAIL startup file: security.allowAnonymous lets clients in"));
    }

    @Test
    void shouldNotMindWhatOnlyThisMachineReachesOrIsDisabled() {
        String local = SAFE.replace("\"Interface\": \"All\"", "\"Interface\": \"127.0.0.1\"")
                .replace("\"TLSEnabled\": true", "\"TLSEnabled\": false");
        assertThat(findings(local, "{}")).noneMatch(found -> found.contains("endpoint"));
        assertThat(findings(
                        SAFE.replace("\"Enabled\": true, \"Interface\": \"All\"", "\"Enabled\": false")
                                .replace("\"TLSEnabled\": true", "\"TLSEnabled\": false"),
                        "{}"))
                .noneMatch(found -> found.contains("endpoint"));
    }

    private static List<String> findings(String objects, String startup) {
        return new HardeningChecks(tree(objects), tree(startup))
                .findings().stream()
                        .map(finding -> finding.level() + " " + finding.subject() + ": " + finding.found())
                        .toList();
    }

    @SuppressWarnings("unchecked") // members of JSON have names
    private static Map<String, @Nullable Object> tree(String json) {
        try {
            return (Map<String, @Nullable Object>) Objects.requireNonNull(Documents.json(json));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
