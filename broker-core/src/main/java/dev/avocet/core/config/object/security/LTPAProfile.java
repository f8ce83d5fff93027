package dev.avocet.core.config.object.security;

import static dev.avocet.core.config.schema.Trait.KEY;
import static dev.avocet.core.config.schema.Trait.REQUIRED;

import dev.avocet.core.config.object.field.Choices;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.Default;
import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.ObjectProblems;
import dev.avocet.core.config.schema.Text;
import dev.avocet.core.config.schema.Traits;
import dev.avocet.core.config.value.OutgoingSecret;
import dev.avocet.core.config.value.TextFormat;
import java.util.Set;

@Doc("How clients log in with an LTPA token of WebSphere or Liberty.")
@SuppressWarnings("checkstyle:AbbreviationAsWordInName") // objects have the names of the reference product
public record LTPAProfile(
        @Doc("What it is known by.") @Text(maxLength = 255, format = TextFormat.NAME) @Traits({KEY, REQUIRED})
        String name,

        @Doc(
                "The uploaded file with the keys, which the server that gives the tokens has exported. It is read again when it changes.")
        @Text(maxLength = 255, format = TextFormat.FILE_NAME)
        @Traits(REQUIRED)
        String keyFileName,

        @Doc("The password that the keys were exported with; required. It is not shown.") @Text(maxLength = 255)
        OutgoingSecret password,

        @Doc(
                "Which tokens are good. `LtpaToken` is the older form, whose end is not signed: who has seen several tokens of a user can prolong one of them. The reference takes both and has no such value.")
        @Default("LtpaToken2")
        Set<LtpaVersion> tokenVersions,

        @Doc(
                "The realm that a token must be of; if empty, the one that the file of the keys names. The reference has no such value.")
        @Text(maxLength = 1_024)
        String realm,

        @Doc(
                "Which part of the user's distinguished name is the user name: the first of these attributes that the name has. If empty, the whole distinguished name is. A name in a token that is not a distinguished name is the user name as it is. The reference takes `UserIdMap` of the LDAP object.")
        @Text(maxLength = 256)
        @Default("uid,cn")
        String userIdMap)
        implements ConfigurationObject {

    /** Copies the collections. */
    public LTPAProfile {
        tokenVersions = Choices.copyOf(tokenVersions);
    }

    @Override
    public void check(ObjectProblems problems) {
        if (password.isEmpty()) {
            problems.add("Password", "is required; give the one that the keys were exported with");
        }
        if (tokenVersions.isEmpty()) {
            problems.add("TokenVersions", "names none, so no token would be good; name LtpaToken2");
        }
    }
}
