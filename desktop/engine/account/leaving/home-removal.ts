import { z } from 'zod';

import type { Home, Homes } from '../home.ts';
import { damageId, parseDamage, withoutNames } from '#desktop/engine/journal/damage.ts';
import type { Journal, JournalRecord } from '#desktop/engine/journal/journal.ts';
import { isBatchId, OpenDraft, UnreadableDraft } from '#desktop/engine/drafts/open-draft.ts';
import type { Platform } from '#desktop/engine/journal/platform.ts';
import { preparedPrefix } from '../prepared-signatures.ts';
import { formPrefix } from '../unsaved-forms.ts';
import { logPrefix, withoutEvents } from '#desktop/engine/journal/support-log.ts';
import { filesIn, inHome, isOfHome } from '#desktop/engine/journal/home-records.ts';
import { readRecords, removeHome } from './home-database.ts';
import { keptWords, quarantinePrefix } from './quarantine.ts';
import { scrubEntry } from './scrub.ts';

interface RemovalDeps {
  platform: Platform;
  journal: Journal;
  homes: Homes;
}

const asked = z.object({ origin: z.string(), userid: z.int(), withWork: z.boolean() });
const erased = z.object({ origin: z.string(), userid: z.int() });

/** A home whose database and journal records are removed, and whose archives and pictures are not yet (LEAVING-7). */
export interface ErasedHome {
  home: string;
  origin: string;
  userid: number;
}

const askedPrefix = 'removing/';
const erasedPrefix = 'removed/';

/**
 * Number of changes of a home that would be lost with its library: calls, kept words, drafts, unsaved forms and unsigned
 * decisions that the server does not have.
 */
export async function workIn(deps: RemovalDeps, home: string): Promise<number> {
  const { meta, drafts } = await deps.journal.entries();
  const kept = [...meta].filter(([id, value]) => {
    // A record that this version cannot read may be somebody's only copy.
    return id.startsWith(quarantinePrefix(home)) && keptWords.safeParse(value).data?.isOnServer !== true;
  });
  const typed = [...meta.keys()].filter(
    (id) => id.startsWith(preparedPrefix(home)) || id.startsWith(formPrefix(home)),
  );
  const calls = await deps.homes.callsIn(home);
  const saved = new Set(calls.map((call) => call?.target.id));
  const prefix = `${home}/`;
  const stored = new Map([...drafts].filter(([id]) => id.startsWith(prefix)));
  let unsaved = 0;
  for (const id of stored.keys()) {
    const isCounted = isBatchId(id) || saved.has(id.slice(prefix.length));
    if (!isCounted && (await holdsEdits(deps, id, stored))) unsaved += 1;
  }
  return calls.length + kept.length + typed.length + unsaved;
}

/** Whether a stored draft has edits, or cannot be read. */
async function holdsEdits(
  { platform: { environment } }: RemovalDeps,
  id: string,
  stored: ReadonlyMap<string, unknown>,
): Promise<boolean> {
  const none = (): Promise<void> => Promise.resolve();
  const store = { get: async (one: string) => stored.get(one), put: none, remove: none };
  try {
    const open = await OpenDraft.read(id, [...stored.keys()], { store, environment }, () => undefined);
    const isDirty = open?.draft.isDirty() === true;
    open?.close();
    return isDirty;
  } catch (error) {
    if (error instanceof UnreadableDraft) return true;
    throw error;
  }
}

/** Notes that a home must be removed, before anything is removed: the next start continues an interrupted removal. */
export async function askRemoval(
  { journal }: RemovalDeps,
  { home, origin, userid }: Home,
  withWork: boolean,
): Promise<void> {
  const value = { origin, userid, withWork } satisfies z.infer<typeof asked>;
  await journal.append([{ op: 'put', collection: 'meta', id: askedPrefix + home, value }]);
}

/** Cancels a removal that is not complete, because somebody signs in to the home again. */
export async function cancelRemoval(journal: Journal, home: string): Promise<void> {
  const { values } = await journal.changes('meta', 0);
  const ids = [askedPrefix + home, erasedPrefix + home].filter((id) => values.has(id));
  if (ids.length > 0) await journal.forget('meta', ids);
}

/** Erases the homes that must be removed, as soon as no tab has them open. */
export async function eraseHomes(deps: RemovalDeps): Promise<void> {
  const { platform, journal, homes } = deps;
  for (const [home, { origin, userid }] of await marked(journal, askedPrefix, asked)) {
    const isErased = await platform.lock(`home/${home}`, async () => {
      // Another tab may have erased it already, or stored more work before it closed.
      const mark = (await marked(journal, askedPrefix, asked)).get(home);
      if (mark === undefined) return false;
      if (!mark.withWork && (await workIn(deps, home)) > 0) {
        await journal.forget('meta', [askedPrefix + home]);
        return false;
      }
      await removeHome({ platform, journal, home });
      await forgetRecords(journal, { home, origin, userid });
      return true;
    });
    if (!isErased) continue;
    await homes.forget(home);
    const value = { origin, userid } satisfies z.infer<typeof erased>;
    await journal.append([
      { op: 'put', collection: 'meta', id: erasedPrefix + home, value },
      { op: 'delete', collection: 'meta', id: askedPrefix + home },
    ]);
  }
}

/** Erased homes whose archives and pictures are still on this device. */
export async function erasedHomes(journal: Journal): Promise<ErasedHome[]> {
  return [...(await marked(journal, erasedPrefix, erased))].map(([home, rest]) => ({ home, ...rest }));
}

/** Completes a removal: deleted bytes of the journal are removed now, those of the common storage with the next scrub. */
export async function finishRemoval({ platform, journal }: RemovalDeps, home: string): Promise<void> {
  await journal.purge();
  await journal.append([
    scrubEntry(platform, home),
    { op: 'delete', collection: 'meta', id: erasedPrefix + home },
  ]);
}

/** Calls `take` with every record and every waiting call of a home that is not open in this tab, as text. */
export async function readHome(
  { platform, journal }: RemovalDeps,
  home: string,
  take: (body: string) => void,
): Promise<void> {
  await readRecords({ platform, journal, home }, take);
  const { outbox } = await journal.entries();
  for (const value of outbox.values())
    if (inHome.safeParse(value).data?.home === home) take(JSON.stringify(value));
}

async function marked<T>(journal: Journal, prefix: string, schema: z.ZodType<T>): Promise<Map<string, T>> {
  const { values } = await journal.changes('meta', 0);
  const found = new Map<string, T>();
  for (const [id, value] of values) {
    const parsed = id.startsWith(prefix) ? schema.safeParse(value) : undefined;
    if (parsed?.success === true) found.set(id.slice(prefix.length), parsed.data);
  }
  return found;
}

/** Removes the records of a home from the journal, and files that no other record names. */
async function forgetRecords(journal: Journal, home: ErasedHome): Promise<void> {
  const entries = await journal.entries();
  const files = new Set((await journal.listFiles()).map(({ id }) => id));
  const named = { gone: new Set<string>(), left: new Set<string>() };
  const changes: JournalRecord[] = [];
  for (const collection of ['outbox', 'drafts', 'meta'] as const)
    for (const [id, value] of entries[collection]) {
      const goes = !id.startsWith(askedPrefix) && isOfHome(collection, id, value, home);
      if (goes) changes.push({ op: 'delete', collection, id });
      else if (collection === 'meta')
        changes.push(...withoutEvents(id, value, home.home), ...withoutNamesOf(id, value, home.home));
      // Events of the log name keys of calls, which are also ids of files: they do not count.
      if (collection === 'drafts' || id.startsWith(logPrefix)) continue;
      for (const file of filesIn(value, files)) named[goes ? 'gone' : 'left'].add(file);
    }
  for (const id of named.gone) if (!named.left.has(id)) await journal.deleteFile(id);
  if (changes.length > 0) await journal.append(changes);
}

/** The report of damage without the names of a home. */
function withoutNamesOf(id: string, value: unknown, home: string): JournalRecord[] {
  const damage = id === damageId ? parseDamage(value) : null;
  const left = damage === null ? null : withoutNames(damage, (name) => name.home === home);
  return left === damage ? [] : [{ op: 'put', collection: 'meta', id, value: left }];
}
