/** Values in one statement: databases bound their number, and what clients send does not. */
const valuesPerQuery = 1000;

/** The items in groups that fit into one statement. */
export function* chunks<T>(items: readonly T[]): Generator<T[]> {
  for (let from = 0; from < items.length; from += valuesPerQuery)
    yield items.slice(from, from + valuesPerQuery);
}
