import type { CompiledQuery } from 'kysely';

/** A statement that only reads, with its values. */
export type ReadStatement = Pick<CompiledQuery, 'sql' | 'parameters'>;
