import { z } from 'zod';

import { toBase64 } from '../platform/base64.ts';
import { withBytes } from './bytes.ts';
import type { Journal, JournalEntries, JournalHealth } from './journal.ts';
import { filesIn, isOfHome, type HomeOf } from './home-records.ts';
import type { Damage } from '../api/sync-records.ts';

const missingName = z.object({
  subject: z.string(),
  home: z.string(),
  /** The guide or page whose title it is; null if it is the title of neither. The id may be temporary. */
  about: z.object({ collection: z.enum(['guides', 'wikis']), id: z.string() }).nullable(),
});

/** The subject of a missing call, and the home it belonged to. */
export type MissingName = z.infer<typeof missingName>;

const reportedDamage = z.looseObject({
  /** The newest damaged segment that is included. */
  segment: z.int(),
  since: z.number().nullable(),
  until: z.number().nullable(),
  /** Subjects without a known home; earlier versions wrote them. */
  subjects: z.array(z.string()),
  names: z.array(missingName).default([]),
  hasCopies: z.boolean().nullable(),
  isSeen: z.boolean(),
});

/** The damage that is reported to a person, as stored in `meta`. It stays after the person has read it. */
export type ToldDamage = z.infer<typeof reportedDamage>;

/** Id of the record in the journal's `meta`. */
export const damageId = 'damage';

/** The report of damage in a stored record; null when there is none, or it cannot be read. */
export function parseDamage(value: unknown): ToldDamage | null {
  return reportedDamage.safeParse(value).data ?? null;
}

/** The damage to show to the person of a home; null when there is none, or it was read already. */
export function shownDamage(damage: ToldDamage | null, home: string | null): Damage | null {
  if (damage === null || damage.isSeen) return null;
  const { since, until, hasCopies } = damage;
  const own = damage.names.filter((one) => one.home === home).map(({ subject }) => subject);
  return { since, until, subjects: [...new Set([...damage.subjects, ...own])], hasCopies };
}

/**
 * `damage` without the names for which `isGone`, and without those of earlier versions; `damage` itself if nothing
 * changes.
 */
export function withoutNames(damage: ToldDamage, isGone: (name: MissingName) => boolean): ToldDamage {
  const names = damage.names.filter((one) => !isGone(one));
  const isSame = names.length === damage.names.length && damage.subjects.length === 0;
  return isSame ? damage : { ...damage, subjects: [], names };
}

/** `damage` after a person has read it, without names: they are no longer needed. */
export function seenDamage(damage: ToldDamage): ToldDamage {
  return { ...withoutNames(damage, () => true), isSeen: true };
}

/** The newest segment in which saved data could not be read; 0 when there is none. */
export function damagedSegment({ damage }: JournalHealth): number {
  const lost = damage.filter(({ isTorn, appends }) => !isTorn && appends !== 0);
  return Math.max(0, ...lost.map(({ segment }) => segment));
}

/** Adds the damage that the journal found at this start to what was reported before; null when nothing is new. */
export function newDamage(health: JournalHealth, before: ToldDamage | null): ToldDamage | null {
  const segment = damagedSegment(health);
  if (segment <= (before?.segment ?? 0)) return null;
  const unread = before !== null && !before.isSeen ? [before] : [];
  const all = [...health.damage.filter(({ isTorn }) => !isTorn), ...unread];
  const missing = health.missing.filter(({ subject }) => subject !== '');
  const names = missing.map((one) => missingName.safeParse(one).data);
  const unnamed = missing.filter((_, index) => names[index] === undefined).map(({ subject }) => subject);
  return {
    segment,
    since: all.some(({ since }) => since === null) ? null : Math.min(...all.map(({ since }) => since ?? 0)),
    until: all.some(({ until }) => until === null) ? null : Math.max(...all.map(({ until }) => until ?? 0)),
    subjects: [...new Set([...unread.flatMap((one) => one.subjects), ...unnamed])],
    names: uniqueNames([...unread.flatMap((one) => one.names), ...names]),
    hasCopies: unread.some(({ hasCopies }) => hasCopies === false) ? false : null,
    isSeen: false,
  };
}

function uniqueNames(names: readonly (MissingName | undefined)[]): MissingName[] {
  const found = new Map(names.map((one) => [JSON.stringify(one), one]));
  return [...found.values()].filter((one) => one !== undefined);
}

/**
 * The journal as one file for support: its records, and its segments in their stored form, damaged ones included. When
 * several people use the device, `shared` limits the file to the records of one home (`own`; null: nobody is signed
 * in).
 */
export async function supportFile(
  journal: Journal,
  now: number,
  shared: { own: HomeOf | null } | null,
): Promise<{ filename: string; json: string }> {
  const filename = `support-${new Date(now).toISOString().slice(0, 10)}.json`;
  if (shared !== null)
    return { filename, json: JSON.stringify(await ownPart(journal, shared.own), withBytes) };
  const files = Object.entries(await journal.exportAll());
  const summary = files.find(([path]) => path === 'journal.json')?.[1] ?? new Uint8Array();
  const segments = files.flatMap(([path, bytes]) =>
    path.startsWith('store/segment-') ? [[path, toBase64(bytes)] as const] : [],
  );
  return {
    filename,
    json: JSON.stringify({
      journal: JSON.parse(new TextDecoder().decode(summary)) as unknown,
      segments: Object.fromEntries(segments),
    }),
  };
}

/** The records of one home. Of unreadable parts only the position is included, because their owner is unknown. */
async function ownPart(journal: Journal, own: HomeOf | null): Promise<object> {
  const { damage } = journal.health();
  if (own === null)
    return { leftOut: 'Several people use this device. Sign in to have your own work in this file.', damage };
  const entries = await journal.entries();
  const files = await journal.listFiles();
  const ids = new Set(files.map(({ id }) => id));
  const named = new Set<string>();
  const recordsIn = (collection: keyof JournalEntries): object => {
    const found = [...entries[collection]].filter(([id, value]) => isOfHome(collection, id, value, own));
    for (const [, value] of found) for (const id of filesIn(value, ids)) named.add(id);
    return Object.fromEntries(found);
  };
  const [outbox, drafts, meta] = [recordsIn('outbox'), recordsIn('drafts'), recordsIn('meta')];
  return {
    leftOut: 'Other people use this device too: their work, and what cannot be read, is not in this file.',
    damage,
    outbox,
    drafts,
    meta,
    files: files.filter(({ id }) => named.has(id)),
  };
}
