import type { Finding } from '#shared/formats/omanual/archive.ts';

/** Findings and records that a report lists at most; there may be one for each line of each guide. */
export const mostListed = 2000;

/**
 * As many findings as a report lists; where there are more the last line says how many are left out. `uncollected`:
 * further ones that were only counted.
 */
export function listedFindings(findings: readonly Finding[], uncollected = 0): Finding[] {
  if (findings.length + uncollected <= mostListed) return [...findings];
  const listed = findings.slice(0, mostListed - 1);
  const left = findings.length + uncollected - listed.length;
  // The reading itself stopped listing at some time.
  const isOpen = findings.slice(mostListed - 1).some(({ code }) => code === 'more');
  const count = (isOpen ? left - 1 : left).toLocaleString('en');
  const message = `${isOpen ? 'More than ' : ''}${count} further findings are not listed.`;
  return [...listed, { kind: 'dropped', code: 'more', member: '', place: '', message }];
}

/** What is said of records that a report does not list; its counts are of all. */
export function unlistedItems(items: number): Finding[] {
  if (items <= mostListed) return [];
  const [all, most] = [items, mostListed].map((number) => number.toLocaleString('en'));
  const message = `Of ${all} guides and categories the first ${most} are listed; the numbers count all of them.`;
  return [{ kind: 'dropped', code: 'more-items', member: '', place: '', message }];
}
