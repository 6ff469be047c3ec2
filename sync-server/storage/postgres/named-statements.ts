import type pg from 'pg';

/**
 * Names of statements that are built once, by their text. PostgreSQL parses a named statement once per connection, and
 * plans it a few times; others are parsed and planned at every call, which takes longer than running most of them. The
 * code limits how many there are.
 */
const names = new Map<string, string>();

/** Statements that return all columns, however many there are. */
const allColumns = /\*(?: from|,|$)/i;

/**
 * Gives a statement a name. One that returns all columns gets none: when a node of a newer version adds a column,
 * PostgreSQL refuses named ones whose result was another one.
 */
export function nameStatement(text: string): void {
  if (!names.has(text) && !allColumns.test(text)) names.set(text, `benchbook_${names.size + 1}`);
}

/**
 * Makes a connection use the names.
 *
 * - POSTGRES-7 Statements that are built once are parsed once per connection.
 */
export function useNames(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const named = (text: unknown, ...rest: unknown[]): unknown => {
    const name = typeof text === 'string' ? names.get(text) : undefined;
    const [values] = rest;
    return name === undefined ? query(text, ...rest) : query({ name, text, values });
  };
  Object.assign(client, { query: named });
}
