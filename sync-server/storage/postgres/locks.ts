/** Advisory locks. The numbers are arbitrary, and never change. */

/** Held by a node while it writes. */
export const writeLock = 2_004_318_071;

/** Held while the schema is migrated, so that nodes that start together migrate once. */
export const migrationLock = 2_004_318_072;

/** Held during a move. Whoever opens the database shares it for a moment, and is refused during a move. */
export const moveLock = 2_004_318_073;
