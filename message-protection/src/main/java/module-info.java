/** Seals messages, and opens them. Start at {@link dev.avocet.protection.Sealer}. */
module dev.avocet.protection {
    requires org.bouncycastle.provider;
    requires org.bouncycastle.pkix;
    requires static transitive org.jspecify;

    exports dev.avocet.protection;
}
