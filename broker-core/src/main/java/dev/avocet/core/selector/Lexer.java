package dev.avocet.core.selector;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes a selector's text apart into words. */
final class Lexer {
    private static final Pattern NUMBER = Pattern.compile(
            "0[xX][0-9a-fA-F]++[lL]?|(?:[0-9]++(?:\\.[0-9]*+)?|\\.[0-9]++)(?:[eE][+-]?[0-9]++)?[lLfFdD]?");
    private static final Pattern HEXADECIMAL = Pattern.compile("0[xX].*");
    private static final Pattern APPROXIMATE = Pattern.compile(".*[.eEfFdD].*");

    private static final String DIGITS_OF_LEAST_LONG = "9223372036854775808";

    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    Lexer(String text) {
        this.text = text;
    }

    /** All words; the last one is the end. */
    List<Token> tokens() throws InvalidSelectorException {
        for (skipBlank(); at < text.length(); skipBlank()) {
            char c = text.charAt(at);
            if (c == '\'') {
                string();
            } else if (isDigit(at) || c == '.' && isDigit(at + 1)) {
                number();
            } else if (Character.isJavaIdentifierStart(c)) {
                word();
            } else {
                symbol();
            }
        }
        tokens.add(new Token(Token.Kind.END, "", "", text.length()));
        return tokens;
    }

    private void skipBlank() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private boolean isDigit(int index) {
        return index < text.length() && text.charAt(index) >= '0' && text.charAt(index) <= '9';
    }

    private void string() throws InvalidSelectorException {
        StringBuilder content = new StringBuilder();
        int from = at++;
        while (true) {
            int quote = text.indexOf('\'', at);
            if (quote < 0) {
                throw new InvalidSelectorException(
                        "the string that begins at character " + (from + 1) + " has no closing quote", from);
            }
            content.append(text, at, quote);
            at = quote + 1;
            if (at == text.length() || text.charAt(at) != '\'') {
                break;
            }
            content.append('\''); // two quotes stand for one
            at++;
        }
        tokens.add(new Token(Token.Kind.STRING, content.toString(), content.toString(), from));
    }

    private void word() {
        int from = at;
        while (at < text.length() && Character.isJavaIdentifierPart(text.charAt(at))) {
            at++;
        }
        tokens.add(Token.word(text.substring(from, at), from));
    }

    private void number() throws InvalidSelectorException {
        Matcher matcher = NUMBER.matcher(text).region(at, text.length());
        int from = at;
        boolean found = matcher.lookingAt();
        int end = found ? matcher.end() : at;
        if (!found || end < text.length() && Character.isJavaIdentifierPart(text.charAt(end))) {
            throw notANumber(from);
        }
        String digits = text.substring(from, end);
        at = end;
        tokens.add(new Token(Token.Kind.NUMBER, digits, valueOf(digits, from), from));
    }

    private Object valueOf(String digits, int from) throws InvalidSelectorException {
        try {
            boolean exact = HEXADECIMAL.matcher(digits).matches()
                    || !APPROXIMATE.matcher(digits).matches();
            if (!exact) {
                return Double.valueOf(digits);
            }
            boolean isLong = digits.toLowerCase(Locale.ROOT).endsWith("l");
            String whole = isLong ? digits.substring(0, digits.length() - 1) : digits;
            return whole.equals(DIGITS_OF_LEAST_LONG) ? Token.LEAST_LONG : Long.decode(whole);
        } catch (NumberFormatException e) {
            throw notANumber(from);
        }
    }

    private static InvalidSelectorException notANumber(int from) {
        return new InvalidSelectorException("what begins at character " + (from + 1) + " is not a number", from);
    }

    private void symbol() throws InvalidSelectorException {
        String two = text.substring(at, Math.min(text.length(), at + 2));
        String one = two.substring(0, 1);
        String symbol =
                switch (two) {
                    case "<>", "<=", ">=" -> two;
                    default -> one;
                };
        if (symbol.length() == 1 && "=<>+-*/(),".indexOf(symbol.charAt(0)) < 0) {
            throw new InvalidSelectorException(
                    "'" + symbol + "' at character " + (at + 1) + " means nothing in a selector", at);
        }
        tokens.add(new Token(Token.Kind.SYMBOL, symbol, symbol, at));
        at += symbol.length();
    }
}
