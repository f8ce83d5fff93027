package dev.avocet.core.security.scram;

import dev.avocet.core.security.user.SaslPrep;

/**
 * A client-first-message (RFC 5802 section 7).
 *
 * @param gs2Header what came before the bare message, with its last comma
 * @param bare the message without that header
 * @param userName the name after SASLprep, with {@code =2C} and {@code =3D} decoded
 * @param nonce the client's part of the nonce
 */
record ClientFirst(String gs2Header, String bare, String userName, String nonce) {

    static ClientFirst parse(byte[] message) throws ScramFormatException {
        String text = ScramText.decode(message);
        int afterFlag = text.indexOf(',');
        int afterIdentity = text.indexOf(',', afterFlag + 1);
        if (afterFlag < 0 || afterIdentity < 0) {
            throw ScramText.malformed();
        }
        refuseChannelBinding(text.substring(0, afterFlag));
        if (afterIdentity > afterFlag + 1) {
            // An authorisation identity: acting for another user is not offered.
            throw ScramText.unsupported();
        }
        return parseBare(text.substring(0, afterIdentity + 1), text.substring(afterIdentity + 1));
    }

    private static ClientFirst parseBare(String gs2Header, String bare) throws ScramFormatException {
        if (bare.startsWith("m=")) {
            throw ScramText.unsupported();
        }
        String[] attributes = bare.split(",", -1);
        if (attributes.length < 2) {
            throw ScramText.malformed();
        }
        String userName = decodeName(ScramText.value('n', attributes[0]));
        String nonce = ScramText.value('r', attributes[1]);
        if (!nonce.chars().allMatch(c -> c >= 0x21 && c <= 0x7E)) {
            throw ScramText.malformed();
        }
        return new ClientFirst(gs2Header, bare, userName, nonce);
    }

    /**
     * {@code n}: the client has no channel binding; {@code y}: it has, and sees that we have not; {@code p=}: it
     * insists.
     */
    private static void refuseChannelBinding(String flag) throws ScramFormatException {
        if (flag.startsWith("p=")) {
            throw ScramText.unsupported();
        }
        if (!flag.equals("n") && !flag.equals("y")) {
            throw ScramText.malformed();
        }
    }

    private static String decodeName(String encoded) throws ScramFormatException {
        String withoutCommas = encoded.replace("=2C", ",");
        String rest = withoutCommas.replace("=3D", "");
        if (rest.indexOf('=') >= 0) {
            throw ScramText.malformed();
        }
        try {
            return SaslPrep.prepare(withoutCommas.replace("=3D", "="));
        } catch (IllegalArgumentException e) {
            throw ScramText.malformed();
        }
    }
}
