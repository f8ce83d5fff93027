package dev.avocet.core.topic.level;

/**
 * What is below a node that has children: the only child itself, as most nodes have one and an object more is one
 * more to fetch, or several.
 */
sealed interface Below<N extends LevelNode<N>> permits LevelNode, Children {}
