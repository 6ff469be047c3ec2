/** Maximum number of values in one statement: databases limit it, and clients may send more. */
const valuesPerQuery = 1000;

/** Splits items into groups that fit into one statement. */
export function* chunks<T>(items: readonly T[]): Generator<T[]> {
  for (let from = 0; from < items.length; from += valuesPerQuery)
    yield items.slice(from, from + valuesPerQuery);
}
