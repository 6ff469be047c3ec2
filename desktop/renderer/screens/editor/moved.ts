/** The list with one element a place earlier or later. */
export function moved<T>(items: readonly T[], index: number, by: 1 | -1): T[] {
  return items.toSpliced(index, 1).toSpliced(index + by, 0, ...items.slice(index, index + 1));
}
