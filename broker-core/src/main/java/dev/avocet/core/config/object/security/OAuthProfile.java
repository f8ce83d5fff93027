package dev.avocet.core.config.object.security;

import static dev.avocet.core.config.schema.Trait.KEY;
import static dev.avocet.core.config.schema.Trait.REQUIRED;

import dev.avocet.core.config.object.field.Choices;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.Default;
import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.Named;
import dev.avocet.core.config.schema.ObjectProblems;
import dev.avocet.core.config.schema.Range;
import dev.avocet.core.config.schema.Text;
import dev.avocet.core.config.schema.Traits;
import dev.avocet.core.config.value.OutgoingSecret;
import dev.avocet.core.config.value.TextFormat;
import java.util.Set;

@Doc("How clients log in with a token of an OAuth 2 or OpenID Connect server.")
@SuppressWarnings("checkstyle:AbbreviationAsWordInName") // objects have the names of the reference product
public record OAuthProfile(
        @Doc("What it is known by.") @Text(maxLength = 256, format = TextFormat.NAME) @Traits({KEY, REQUIRED})
        String name,

        @Doc(
                "Who says whether a token is good: the resource server, as in the reference, the public keys of the server, which sign tokens that are JWTs, or the introspection of the server (RFC 7662). The reference has no such value.")
        @Default("Resource")
        TokenCheck tokenCheck,

        @Doc(
                "The URL that is asked about a token, for `Resource` and `Introspection`. For `Resource` the answer 200 says that the token is good.")
        @Named("ResourceURL")
        @Text(maxLength = 2_048, format = TextFormat.WEB_URL)
        String resourceUrl,

        @Doc(
                "The public keys of the server (JWKS), for `KeySet`: an uploaded file or an `http` or `https` URL. They are read again every five minutes, and when a token names another key. The reference has no such value.")
        @Text(maxLength = 2_048, format = TextFormat.LIST_SOURCE)
        String keySetSource,

        @Doc("What `iss` of a token must be; required for `KeySet`. The reference has no such value.")
        @Text(maxLength = 2_048)
        String issuer,

        @Doc(
                "What must be among `aud` of a token; if empty, tokens for others are good too. For `KeySet` and `Introspection`. The reference has no such value.")
        @Text(maxLength = 1_024)
        String audience,

        @Doc("By which algorithms a token may be signed, for `KeySet`. The reference has no such value.")
        @Default("RS256,RS384,RS512,PS256,PS384,PS512,ES256,ES384,ES512,EdDSA")
        Set<TokenAlgorithm> algorithms,

        @Doc(
                "By how much the clock of the server may be ahead when `nbf` and `iat` of a token are looked at, in seconds. A token is never good after its `exp`. The reference has no such value.")
        @Range(min = 0, max = 300)
        @Default("30")
        int clockSkew,

        @Doc("Scopes that a token must have, all of them, with blanks between. The reference has no such value.")
        @Text(maxLength = 1_024)
        String requiredScopes,

        @Doc("The name of the parameter in which the token is sent.") @Text(maxLength = 256) @Default("access_token")
        String authKey,

        @Doc("The name by which the broker shows itself to the server that it asks; without one it does not.")
        @Text(maxLength = 1_024)
        String userName,

        @Doc("The password of `UserName`. It is not shown.") @Text(maxLength = 1_024)
        OutgoingSecret userPassword,

        @Doc("The URL that is asked who the user is, for `Resource`; if empty, the answer of `ResourceURL` says it.")
        @Named("UserInfoURL")
        @Text(maxLength = 2_048, format = TextFormat.WEB_URL)
        String userInfoUrl,

        @Doc("What the user's name is called in the token or in the answer of the server; `a.b` is `b` within `a`.")
        @Text(maxLength = 256)
        @Default("sub")
        String userInfoKey,

        @Doc("What the user's groups are called there; if empty, the user has none.") @Text(maxLength = 256)
        String groupInfoKey,

        @Doc("What stands between groups when they are one text.") @Text(maxLength = 1) @Default(",")
        String groupDelimiter,

        @Doc("How the token is sent for `Resource`.") @Default("URLParam")
        TokenSendMethod tokenSendMethod,

        @Doc(
                "How the server's certificate is checked: by `KeyFileName`, by the authorities that the Java runtime trusts, or not at all, which lets an attacker read tokens and forge keys. The default of the reference is `DisableVerify`.")
        @Default("PublicTrust")
        ServerCheck checkServerCert,

        @Doc("The uploaded file with the certificate that the server's certificate is checked by, for `TrustStore`.")
        @Text(maxLength = 255, format = TextFormat.FILE_NAME)
        String keyFileName,

        @Doc(
                "The user name with which clients send a token as the password. With `*`, the password of any user that looks like a JWT is a token, or every password where `TokenCheck` is not `KeySet`. A password without a user name is a token always.")
        @Named("TokenUserName")
        @Text(maxLength = 256)
        @Default("IMA_OAUTH_ACCESS_TOKEN")
        String tokenUserName,

        @Doc(
                "The cookie of a WebSocket request that holds the token, for clients that send neither user name nor password; if empty, cookies do not count. A token in the header `Authorization: Bearer` always does. The reference has no such value.")
        @Text(maxLength = 256)
        String tokenCookie,

        @Doc("How long a login waits for the server, in seconds. The reference has no such value.")
        @Named("Timeout")
        @Range(min = 1, max = 60)
        @Default("10")
        int timeoutSeconds,

        @Doc(
                "How long a token that was good is good without asking the server again, in seconds; never beyond its end. For `Resource` and `Introspection`. The reference has no such value.")
        @Named("CacheTimeout")
        @Range(min = 0, max = 3_600)
        @Default("60")
        int cacheTimeoutSeconds,

        @Doc("Most questions to the server at a time. The reference has no such value.")
        @Range(min = 1, max = 100)
        @Default("10")
        int maxConnections)
        implements ConfigurationObject {

    /** Copies the collections. */
    public OAuthProfile {
        algorithms = Choices.copyOf(algorithms);
    }

    /** Whether the keys come from a server, not from a file. */
    public boolean fetchesKeys() {
        return keySetSource.indexOf(':') >= 0;
    }

    @Override
    public void check(ObjectProblems problems) {
        if (tokenCheck == TokenCheck.KEY_SET) {
            require(problems, "KeySetSource", keySetSource, "name the uploaded file or the URL of the server's keys");
            require(problems, "Issuer", issuer, "name what iss of its tokens is");
            if (algorithms.isEmpty()) {
                problems.add("Algorithms", "names none, so no token would be good; name those of the server");
            }
        } else {
            require(problems, "ResourceURL", resourceUrl, "name the URL that is asked about tokens");
        }
        require(problems, "UserInfoKey", userInfoKey, "name what holds the user's name, such as sub");
        if (checkServerCert == ServerCheck.TRUST_STORE && keyFileName.isEmpty()) {
            problems.add(
                    "KeyFileName",
                    "is required with CheckServerCert TrustStore; upload the certificate of the server's authority and"
                            + " name its file, or set CheckServerCert to PublicTrust");
        }
        if (userName.indexOf(':') >= 0) {
            problems.add("UserName", "has a colon, which cannot be sent; take another name");
        }
    }

    private void require(ObjectProblems problems, String property, String value, String advice) {
        if (value.isEmpty()) {
            problems.add(property, "is required with TokenCheck " + tokenCheck + "; " + advice);
        }
    }
}
