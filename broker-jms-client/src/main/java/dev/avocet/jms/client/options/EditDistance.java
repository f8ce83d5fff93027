package dev.avocet.jms.client.options;

/** How many letters have to be put in, left out or replaced to make one name of another. */
final class EditDistance {
    private EditDistance() {}

    static int between(final String left, final String right) {
        int[] above = new int[right.length() + 1];
        for (int j = 0; j < above.length; j++) {
            above[j] = j;
        }
        for (int i = 1; i <= left.length(); i++) {
            final int[] row = new int[above.length];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                final int replaced = above[j - 1] + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
            }
            above = row;
        }
        return above[right.length()];
    }
}
