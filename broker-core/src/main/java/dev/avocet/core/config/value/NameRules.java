package dev.avocet.core.config.value;

import io.netty.util.NetUtil;
import java.net.URI;
import java.net.URISyntaxException;

/** How names, file names and a few other short texts must be built. */
final class NameRules {
    private static final String NOWHERE = ",\"\\=";
    private static final String NOT_FIRST = "!#$%&'()*+-./:;<>?@";

    private NameRules() {}

    static void checkName(String name) throws InvalidValueException {
        checkEnds(name);
        for (int i = 0; i < NOWHERE.length(); i++) {
            if (name.indexOf(NOWHERE.charAt(i)) >= 0) {
                throw new InvalidValueException("'" + name + "' holds " + NOWHERE.charAt(i)
                        + "; a name has no comma, double quote, backslash and equals sign");
            }
        }
        char first = name.charAt(0);
        if (Character.isDigit(first) || NOT_FIRST.indexOf(first) >= 0) {
            throw new InvalidValueException(
                    "'" + name + "' begins with " + first + "; begin with a letter or an underscore");
        }
    }

    private static void checkEnds(String name) throws InvalidValueException {
        if (!name.strip().equals(name)) {
            throw new InvalidValueException("'" + name + "' begins or ends with a blank; remove it");
        }
    }

    static void checkQueueName(String name) throws InvalidValueException {
        checkName(name);
        if (name.indexOf('+') >= 0 || name.indexOf('#') >= 0) {
            throw new InvalidValueException("'" + name + "' holds + or #, which the name of a queue may not");
        }
    }

    static void checkFileName(String name) throws InvalidValueException {
        checkEnds(name);
        if (name.indexOf('/') >= 0 || name.indexOf('\\') >= 0 || name.equals(".") || name.equals("..")) {
            throw new InvalidValueException("'" + name + "' is not the name of a file; leave out the folder");
        }
    }

    static void checkFileOrUrl(String place) throws InvalidValueException {
        if (place.indexOf(':') < 0) {
            checkFileName(place);
            return;
        }
        if (!isWeb(place)) {
            throw new InvalidValueException("'" + place + "' is neither the name of a file nor an http or https URL,"
                    + " such as http://pki.example.com/clients.crl");
        }
    }

    static void checkUrl(String text) throws InvalidValueException {
        if (!isWeb(text)) {
            throw new InvalidValueException(
                    "'" + text + "' is not an http or https URL, such as https://login.example.com/userinfo");
        }
    }

    private static boolean isWeb(String text) {
        try {
            URI url = new URI(text);
            boolean web = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
            return web && url.getHost() != null && url.getRawUserInfo() == null;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    static void checkInterface(String address) throws InvalidValueException {
        if (!address.equals("All") && !NetUtil.isValidIpV4Address(address) && !NetUtil.isValidIpV6Address(address)) {
            throw new InvalidValueException(
                    "'" + address + "' is neither All nor an IP address, such as 127.0.0.1 or ::1");
        }
    }
}
