package dev.avocet.core.config.object.server;

import dev.avocet.core.config.object.field.Interfaces;
import dev.avocet.core.config.object.policy.ConfigurationPolicy;
import dev.avocet.core.config.object.security.SecurityProfile;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.Default;
import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.config.schema.Named;
import dev.avocet.core.config.schema.ObjectProblems;
import dev.avocet.core.config.schema.Range;
import dev.avocet.core.config.schema.Reference;
import dev.avocet.core.config.schema.Text;
import dev.avocet.core.config.value.TextFormat;
import java.util.List;

@Doc("The address of the administration; there is one.")
public record AdminEndpoint(
        @Doc("A note for people.") @Text String description,

        @Doc("The TCP port to listen on.") @Range(min = 2, max = 65_535) @Default("9089")
        int port,

        @Doc("The address to listen on; `All` means every address of this machine.")
        @Named("Interface")
        @Text(maxLength = 64, format = TextFormat.INTERFACE)
        @Default("127.0.0.1")
        String address,

        @Doc("How administrators are authenticated and connections encrypted; plain text if empty.")
        @Reference(SecurityProfile.class)
        String securityProfile,

        @Doc("Accept administrators from other machines even without a SecurityProfile.")
        boolean allowInsecure,

        @Doc(
                "Who may administer; tried in order, and the first that matches decides. The user of `AdminUserID` always may.")
        @Reference(ConfigurationPolicy.class)
        List<String> configurationPolicies)
        implements ConfigurationObject {
    /** Copies the collections. */
    public AdminEndpoint {
        configurationPolicies = List.copyOf(configurationPolicies);
    }

    /** Whether other machines can reach it. */
    public boolean isExposed() {
        return Interfaces.isExposed(address);
    }

    @Override
    public void check(ObjectProblems problems) {
        if (isExposed() && securityProfile.isEmpty() && !allowInsecure) {
            problems.add(
                    "SecurityProfile",
                    "is required where others can reach the administration; name one, set Interface to 127.0.0.1,"
                            + " or let every client in with AllowInsecure");
        }
    }
}
