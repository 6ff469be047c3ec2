/** A name as searches compare it: composed characters, lower case. */
export function searchName(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
