const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Compares records by title, with numbers by value; those with equal titles by id. */
export function compareTitles(a: { title: string; id: string }, b: { title: string; id: string }): number {
  return collator.compare(a.title, b.title) || collator.compare(a.id, b.id);
}
