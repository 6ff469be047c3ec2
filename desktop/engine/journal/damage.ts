import { z } from 'zod';

import { toBase64 } from '../platform/base64.ts';
import type { Journal, JournalEntries, JournalHealth } from './journal.ts';
import { filesIn, isOfHome, type HomeOf } from './home-records.ts';
import type { Damage } from '../api/sync-records.ts';

const missingName = z.object({
  subject: z.string(),
  home: z.string(),
  /** The guide or page whose title it is; null: of none. Its id may be temporary. */
  about: z.object({ collection: z.enum(['guides', 'wikis']), id: z.string() }).nullable(),
});

/** What a missing call of a home is about. */
export type MissingName = z.infer<typeof missingName>;

const told = z.looseObject({
  /** The newest damaged segment that this tells of. */
  segment: z.int(),
  since: z.number().nullable(),
  until: z.number().nullable(),
  /** Names of which nothing says whose they are: they are of an earlier version. */
  subjects: z.array(z.string()),
  names: z.array(missingName).default([]),
  hasCopies: z.boolean().nullable(),
  isSeen: z.boolean(),
});

/** The record of `meta` that remembers damage, until a person has read of it and after. */
export type ToldDamage = z.infer<typeof told>;

/** Where it lies in the journal's `meta`. */
export const damageId = 'damage';

export function parseDamage(value: unknown): ToldDamage | null {
  return told.safeParse(value).data ?? null;
}

/** What the person of a home is to be told; null when there is nothing, or somebody has read it. */
export function shownDamage(damage: ToldDamage | null, home: string | null): Damage | null {
  if (damage === null || damage.isSeen) return null;
  const { since, until, hasCopies } = damage;
  const own = damage.names.filter((one) => one.home === home).map(({ subject }) => subject);
  return { since, until, subjects: [...new Set([...damage.subjects, ...own])], hasCopies };
}

/** The same without the names that are gone; `damage` itself when none is. Names of earlier versions always go. */
export function withoutNames(damage: ToldDamage, isGone: (name: MissingName) => boolean): ToldDamage {
  const names = damage.names.filter((one) => !isGone(one));
  const isSame = names.length === damage.names.length && damage.subjects.length === 0;
  return isSame ? damage : { ...damage, subjects: [], names };
}

/** The same once a person has read it: nobody needs the names any more. */
export function seenDamage(damage: ToldDamage): ToldDamage {
  return { ...withoutNames(damage, () => true), isSeen: true };
}

/** The newest segment in which something that was saved could not be read; 0 when there is none. */
export function damagedSegment({ damage }: JournalHealth): number {
  const lost = damage.filter(({ isTorn, appends }) => !isTorn && appends !== 0);
  return Math.max(0, ...lost.map(({ segment }) => segment));
}

/** The damage that the journal found at this start on top of what was told before; null when it is known already. */
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
 * The journal as one file for support: what it holds, and its segments as they are, damaged ones included. `shared`: other
 * people's work lies in the same journal, so that the file holds the records of one home alone (null: nobody is signed in).
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

/** Nobody can tell whose the part is that cannot be read: of that, only the place is told. */
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

/** For `JSON.stringify`: bytes as base64. */
export function withBytes(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? { base64: toBase64(value) } : value;
}
