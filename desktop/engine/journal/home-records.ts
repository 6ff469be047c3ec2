import { z } from 'zod';

import type { JournalEntries } from './journal.ts';

/** A home and its owner. */
export interface HomeOf {
  home: string;
  origin: string;
  userid: number;
}

export const inHome = z.object({ home: z.string() });
const ofPerson = z.object({ server: z.string(), userid: z.int() });

/** Whether a record of the journal belongs to a home. */
export function isOfHome(
  collection: keyof JournalEntries,
  id: string,
  value: unknown,
  { home, origin, userid }: HomeOf,
): boolean {
  if (collection === 'outbox') return inHome.safeParse(value).data?.home === home;
  // Earlier versions stored pins by address and user id.
  if (id === `pins/${origin}/${userid}` || id.split('/').includes(home)) return true;
  if (!id.startsWith('archive-left/')) return false;
  const person = ofPerson.safeParse(value).data;
  return person?.server === origin && person.userid === userid;
}

/** The files of `files` that a record of the journal names. */
export function filesIn(value: unknown, files: ReadonlySet<string>): string[] {
  const words = JSON.stringify(value).match(/[\w-]+/g) ?? [];
  return words.filter((word) => files.has(word));
}
