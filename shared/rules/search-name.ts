/** A name in the form that searches compare: NFKC, lower case. */
export function searchName(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
