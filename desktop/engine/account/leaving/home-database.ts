import {
  createRxDatabase,
  getChangedDocumentsSince,
  removeRxDatabase,
  type RxCollection,
  type RxDatabase,
} from 'rxdb';
import { z } from 'zod';

import { must } from '#shared/must.ts';

import {
  databaseOptions,
  homeCollections,
  openDatabase,
  type EngineDatabase,
} from '#desktop/engine/storage/database.ts';
import { passOverFullDisk } from '#desktop/engine/platform/full-disk.ts';
import type { Journal, JournalRecord } from '#desktop/engine/journal/journal.ts';
import { databaseVersion, mirrorSchemas, recordsIn } from '#desktop/engine/storage/mirror-collections.ts';
import type { StoredRecord } from '#desktop/engine/storage/mirror-records.ts';
import { moveIntoSharedCollection } from '#desktop/engine/storage/shared-collection-move.ts';
import type { Platform } from '#desktop/engine/journal/platform.ts';
import { sealedStorage } from '#desktop/engine/storage/sealed-storage.ts';
import { isEncrypted, markId } from './mark.ts';
import { scrubEntry } from './scrub.ts';

/** Records copied at a time. */
const batchSize = 1000;

/** Layout of the collections in a database. 1: each kind of the mirror has its own; 2: small kinds share one (MIRROR-21). */
const presentLayout = 2;

/**
 * `version`: `databaseVersion` when the database was created; 3 if absent. `layout`: 1 if absent. `sealed`: whether the
 * database was created with encryption, so that none of its rows may be clear (CIPHER-5).
 */
const placeRecord = z.object({
  generation: z.int().nonnegative(),
  version: z.int().default(3),
  layout: z.int().default(1),
  sealed: z.boolean().default(false),
});
type PlaceRecord = z.infer<typeof placeRecord>;

interface HomeDeps {
  platform: Platform;
  journal: Journal;
  home: string;
}

/** The open database of a home. While a tab has it open, no other may replace it. */
export interface HomeDatabase {
  database: EngineDatabase;
  /** To be called when the database is closed. */
  leave: () => void;
}

/**
 * Opens the database of a home. If records were revoked since its files were created (`leaving/{home}` in the journal), and
 * no other tab has it open, the remaining records are copied into a new database first, and the old one is removed with its
 * files (LEAVING-2).
 */
export async function openHome(deps: HomeDeps): Promise<HomeDatabase> {
  const { platform, home } = deps;
  const sit = platform.sit ?? sitAlone;
  // Without space for new files the present ones are opened; the mark remains until a start has space (LEAVING-2).
  const leave = await sit(`home/${home}`, () => freshen(deps).catch(passOverFullDisk));
  try {
    const { name, storage } = await placed(deps, await presentPlace(deps));
    return { database: await openDatabase(name, storage, platform.multiInstance), leave };
  } catch (error) {
    leave();
    throw error;
  }
}

/**
 * Calls `take` with the facts of every record of a home, as text. One collection is open at a time: RxDB allows 13 without delay,
 * and the open home uses most of them.
 */
export async function readRecords(deps: HomeDeps, take: (body: string) => void): Promise<void> {
  const { platform, home } = deps;
  const leave = await (platform.sit ?? sitAlone)(`home/${home}`, () => freshen(deps));
  try {
    await withBare(await placed(deps, await presentPlace(deps)), async (database) => {
      for (const [name, schema] of Object.entries(mirrorSchemas)) {
        const added: Record<string, RxCollection<StoredRecord>> = await database.addCollections({
          [name]: { schema },
        });
        const collection = must(added[name], name);
        for (const records of recordsIn(name, collection))
          for await (const { body } of records.all()) take(body);
        await collection.close();
      }
    });
  } finally {
    leave();
  }
}

/** Removes the databases of a home, but nothing in the journal and the secrets. No tab may have it open. */
export async function removeHome(deps: HomeDeps): Promise<void> {
  const { generation } = await presentPlace(deps);
  await removeGeneration(deps, generation);
  await removeOthers(deps, null);
}

/** `sit` of platforms on which there are no other tabs. */
const sitAlone: NonNullable<Platform['sit']> = async (_, alone) => {
  await alone();
  return () => undefined;
};

/**
 * Creates new files for a home if that is needed, and removes leftovers. No other tab has the home open. Nothing is copied
 * from a database of another version, since all of it is loaded again (MIRROR-1).
 */
async function freshen(deps: HomeDeps): Promise<void> {
  const { platform, journal, home } = deps;
  const place = await presentPlace(deps);
  const { generation, version, layout } = place;
  await removeOthers(deps, generation);
  // Without places, opening the database removes earlier versions with their files.
  const isOld = platform.places !== undefined && version !== databaseVersion;
  if (!isOld && layout < presentLayout) {
    try {
      await withBare(await placed(deps, place), moveIntoSharedCollection);
      await journal.append([placeEntry(home, { ...place, layout: presentLayout })], { canWait: true });
    } catch {
      // The next start tries again. Until then the mirror loads what is missing from the server (MIRROR-20).
    }
  }
  const { meta } = await journal.entries();
  if (!meta.has(markId(home)) && !isOld) return;
  const next = newPlace(platform, generation + 1);
  if (!isOld) await copyDatabase(await placed(deps, place), await placed(deps, next));
  await journal.append([placeEntry(home, next)]);
  await removeGeneration(deps, generation);
  await removeOthers(deps, next.generation);
  if (!meta.has(markId(home))) return;
  await journal.purge();
  await journal.forget('meta', [markId(home)]);
}

/** The present database of a home: the one in the journal, or else the oldest that exists, or a new one. */
async function presentPlace({ platform, journal, home }: HomeDeps): Promise<PlaceRecord> {
  const { meta } = await journal.entries();
  const known = placeRecord.safeParse(meta.get(placeRecordId(home))).data;
  if (known !== undefined) return known;
  const place = await firstPlace(platform, home);
  await journal.append([placeEntry(home, place)], { canWait: true });
  return place;
}

function placeEntry(home: string, value: PlaceRecord): JournalRecord {
  return { op: 'put', collection: 'meta', id: placeRecordId(home), value };
}

/** The place of a database that does not exist yet. */
function newPlace({ cipher }: Platform, generation: number): PlaceRecord {
  return { generation, version: databaseVersion, layout: presentLayout, sealed: cipher !== undefined };
}

/**
 * The database of a home that the journal does not know. One from before places were used is in the common storage and
 * counts as generation 0. What exists may have the first layout, and rows of before encryption.
 */
async function firstPlace(platform: Platform, home: string): Promise<PlaceRecord> {
  const { places } = platform;
  const existing = (generation: number): PlaceRecord => ({
    generation,
    version: databaseVersion,
    layout: 1,
    sealed: false,
  });
  // Without places nothing tells whether there is a database.
  if (places === undefined) return existing(0);
  const present = databaseOf(home, 0);
  if ((await places.listCommon(present)).includes(present)) return existing(0);
  const generations = await generationsIn(places, home);
  return generations.length > 0 ? existing(Math.min(...generations)) : newPlace(platform, 1);
}

async function generationsIn(places: NonNullable<Platform['places']>, home: string): Promise<number[]> {
  const prefix = `${home}-g`;
  const names = await places.list();
  return names.filter((name) => name.startsWith(prefix)).map((name) => Number(name.slice(prefix.length)));
}

interface Placed {
  /** The database's, without its version. */
  name: string;
  storage: Platform['storage'];
  multiInstance: boolean;
}

async function placed(
  { platform, journal, home }: HomeDeps,
  { generation, sealed }: PlaceRecord,
): Promise<Placed> {
  const { places, storage, multiInstance, cipher } = platform;
  const name = placeOf(home, generation);
  const own = places === undefined || generation === 0 ? storage : await places.open(name);
  if (cipher === undefined) return { name, storage: own, multiInstance };
  const { values: meta } = await journal.changes('meta', 0);
  const mayBeClear = !sealed && (!isEncrypted(meta) || meta.has(markId(home)));
  return { name, storage: sealedStorage(own, cipher, { mayBeClear }), multiInstance };
}

/** Removes one database of a home; with places, `removeOthers` does so with everything in the common storage. */
async function removeGeneration({ platform, home }: HomeDeps, generation: number): Promise<void> {
  const { places, storage, multiInstance } = platform;
  if (places !== undefined) return generation > 0 ? places.remove(placeOf(home, generation)) : undefined;
  // An interrupted removal may have left the one before.
  for (const one of [generation - 1, generation].filter((number) => number >= 0))
    await removeRxDatabase(databaseOf(home, one), storage, multiInstance);
}

/**
 * Removes every generation but the `present` one: remains of an interrupted change of places, and databases of earlier
 * versions. The journal notes that the common storage must be rewritten.
 */
async function removeOthers({ platform, journal, home }: HomeDeps, present: number | null): Promise<void> {
  const { places } = platform;
  if (places === undefined) return;
  for (const generation of await generationsIn(places, home))
    if (generation !== present) await places.remove(placeOf(home, generation));
  const common = await places.listCommon(`${home}-`);
  const gone = common.filter((name) => present !== 0 || name !== databaseOf(home, 0));
  if (gone.length === 0) return;
  await journal.append([scrubEntry(platform, home)]);
  for (const name of gone) await places.removeCommon(name);
}

/**
 * Copies a database, one collection at a time; pulling continues from the same checkpoint. Tombstones are copied too
 * (MIRROR-5): they hold only id and seq of a record.
 */
async function copyDatabase(from: Placed, to: Placed): Promise<void> {
  // An interrupted copy begins again, since it may hold records that were revoked since.
  await removeRxDatabase(`${to.name}-v${databaseVersion}`, to.storage, to.multiInstance);
  await withBare(from, (source) => withBare(to, (target) => copyRecords(source, target)));
}

async function copyRecords(source: RxDatabase, target: RxDatabase): Promise<void> {
  for (const [name, creator] of Object.entries(homeCollections)) {
    const pair = await Promise.all(
      [source, target].map((database) => database.addCollections({ [name]: creator })),
    );
    const [old, fresh] = pair.map((added) => must(added[name], name));
    await copyCollection(must(old, name), must(fresh, name), name in mirrorSchemas);
    await Promise.all([old?.close(), fresh?.close()]);
  }
  for (const id of localDocuments) {
    const found = await source.getLocal<Record<string, unknown>>(id);
    if (found !== null) await target.upsertLocal(id, found.toJSON().data);
  }
}

/** Opens a database without its collections, and closes it when `work` is done. */
async function withBare(
  { name, storage, multiInstance }: Placed,
  work: (database: RxDatabase) => Promise<void>,
): Promise<void> {
  const database = await createRxDatabase(databaseOptions(name, storage, multiInstance));
  await work(database).finally(() => database.close());
}

async function copyCollection<T>(
  from: RxCollection<T>,
  to: RxCollection<T>,
  withRemovals: boolean,
): Promise<void> {
  let checkpoint: unknown;
  for (;;) {
    const page = await getChangedDocumentsSince<T, unknown>(from.storageInstance, batchSize, checkpoint);
    if (page.documents.length === 0) return;
    const wanted = page.documents.filter(({ _deleted }) => withRemovals || !_deleted);
    const rows = wanted.map((document) => ({ document }));
    const { error } = await to.storageInstance.bulkWrite(rows, 'fresh-files');
    if (error.length > 0)
      throw new Error(`The records of ${from.name} could not be copied`, { cause: error[0] });
    checkpoint = page.checkpoint;
  }
}

/** Copies the local documents: the checkpoint of the mirror, and when it was last equal to the server. */
const localDocuments = ['activity', 'mirror'] as const;

/** Record in the journal's `meta` that names the present database of a home. */
export function placeRecordId(home: string): string {
  return `place/${home}`;
}

function placeOf(home: string, generation: number): string {
  return generation === 0 ? home : `${home}-g${generation}`;
}

function databaseOf(home: string, generation: number): string {
  return `${placeOf(home, generation)}-v${databaseVersion}`;
}
