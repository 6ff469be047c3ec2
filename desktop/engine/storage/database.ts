import {
  addRxPlugin,
  createRxDatabase,
  type RxCollection,
  type RxDatabase,
  type RxDatabaseCreator,
  removeRxDatabase,
  type RxJsonSchema,
  type RxStorage,
} from 'rxdb';
import { RxDBCleanupPlugin } from 'rxdb/plugins/cleanup';
import { RxDBLeaderElectionPlugin } from 'rxdb/plugins/leader-election';
import { RxDBLocalDocumentsPlugin } from 'rxdb/plugins/local-documents';

import { withDeferredRegistration } from './deferred-registration.ts';
import { databaseVersion, recordsByKind, mirrorSchemas, type RecordsByKind } from './mirror-collections.ts';
import type { MirrorCollection } from './mirror-records.ts';

/** A call as the database stores it: a copy for other tabs, and for a journal that lost it. */
export interface OutboxRow {
  id: string;
  body: string;
}

addRxPlugin(RxDBLeaderElectionPlugin);
addRxPlugin(RxDBLocalDocumentsPlugin);
addRxPlugin(RxDBCleanupPlugin);

/** A copy of a journal record: for other tabs, which see changes by it, and for a journal that lost it. */
export interface CopyRow {
  id: string;
  version: number;
  /** The record as JSON, byte arrays within it as base64. */
  body: string;
}

export interface LocalCollections {
  outbox: RxCollection<OutboxRow>;
  drafts: RxCollection<CopyRow>;
  /** Unsent words of records that left the device (leaving README, LEAVING-4). */
  kept: RxCollection<CopyRow>;
}

/** The database of a home; `mirrorOf` gives the records of its mirror. */
export type EngineDatabase = RxDatabase<LocalCollections>;

/** How long a tombstone is stored, ms: an older copy of the record may still be on its way (MIRROR-5). */
const tombstoneLife = 30 * 24 * 60 * 60_000;

const outboxSchema: RxJsonSchema<OutboxRow> = {
  version: 0,
  primaryKey: 'id',
  type: 'object',
  properties: { id: { type: 'string', maxLength: 64 }, body: { type: 'string' } },
  required: ['id', 'body'],
};

const copySchema: RxJsonSchema<CopyRow> = {
  version: 0,
  primaryKey: 'id',
  type: 'object',
  properties: {
    id: { type: 'string', maxLength: 120 },
    version: { type: 'number' },
    body: { type: 'string' },
  },
  required: ['id', 'version', 'body'],
};

/** The name that earlier versions gave to the database of one user (by number) on one server (by address). */
export function databaseName(server: string, userid: number): Promise<string> {
  return nameOf(`${server}\n${userid}`);
}

/** The database name that is derived from `text`. */
export async function nameOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const hex = [...new Uint8Array(digest).slice(0, 10)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return `benchbook-${hex}`;
}

/** Opens the database `home`, and removes databases of earlier versions: their content is loaded again (MIRROR-1). */
export async function openDatabase(
  home: string,
  storage: RxStorage<unknown, unknown>,
  multiInstance: boolean,
): Promise<EngineDatabase> {
  for (let version = 1; version < databaseVersion; version += 1)
    await removeRxDatabase(`${home}-v${version}`, storage, multiInstance);
  const options = databaseOptions(home, storage, multiInstance);
  const database = await createRxDatabase<LocalCollections>(options);
  try {
    await database.addCollections(homeCollections);
    return database;
  } catch (error) {
    // RxDB does not open a database twice: the next attempt needs it closed.
    await database.close().catch(() => undefined);
    throw error;
  }
}

/** The options with which RxDB opens the database of a home. */
export function databaseOptions(
  name: string,
  storage: RxStorage<unknown, unknown>,
  multiInstance: boolean,
): RxDatabaseCreator<unknown, unknown> {
  return {
    name: `${name}-v${databaseVersion}`,
    storage: withDeferredRegistration(storage),
    multiInstance,
    eventReduce: true,
    localDocuments: true,
  };
}

const localCollections = {
  outbox: { schema: outboxSchema },
  drafts: { schema: copySchema },
  kept: { schema: copySchema },
};

const mirrorCollections = Object.fromEntries(
  Object.entries(mirrorSchemas).map(([name, schema]) => [name, { schema }]),
);

/** The collections of RxDB in the database of a home, by name. */
export const homeCollections = { ...mirrorCollections, ...localCollections };

/** Whether this tab wrote a revision. RxDB names the writer in the revision; its events always name the reader. */
export function isOwn({ database }: { database: { token: string } }, { _rev }: { _rev: string }): boolean {
  return _rev.endsWith(`-${database.token}`);
}

/** The records of the mirror, by kind. */
export function mirrorOf(database: EngineDatabase): RecordsByKind {
  return recordsByKind(mirrorCollectionsOf(database));
}

function mirrorCollectionsOf({ collections }: EngineDatabase): Record<string, MirrorCollection> {
  const all: object = collections;
  return all as Record<string, MirrorCollection>;
}

/** Deletes what removed records leave: of calls and copies immediately, of the mirror's records after `tombstoneLife`. */
export async function cleanUp(database: EngineDatabase): Promise<void> {
  await database.outbox.cleanup(0);
  await database.drafts.cleanup(0);
  await database.kept.cleanup(0);
  const collections = mirrorCollectionsOf(database);
  for (const name of Object.keys(mirrorSchemas)) await collections[name]?.cleanup(tombstoneLife);
}
