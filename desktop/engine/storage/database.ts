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

import { collectionNames, type SyncedCollection } from '#shared/sync/wire.ts';

import { withDeferredRegistration } from './deferred-registration.ts';
import {
  databaseVersion,
  mirrorSchemas,
  type MirrorCollections,
  type StoredRecord,
} from './mirror-collections.ts';

/** A call as the database keeps it: a copy for other tabs and a second home beside the journal. */
export interface OutboxRow {
  id: string;
  body: string;
}

addRxPlugin(RxDBLeaderElectionPlugin);
addRxPlugin(RxDBLocalDocumentsPlugin);
addRxPlugin(RxDBCleanupPlugin);

/** A copy of a journal record: a second home, by which other tabs see that it changed. */
export interface CopyRow {
  id: string;
  version: number;
  /** The record as JSON, byte arrays within it as base64. */
  body: string;
}

export interface LocalCollections {
  outbox: RxCollection<OutboxRow>;
  drafts: RxCollection<CopyRow>;
  /** Words that are kept apart (leaving README, LEAVING-4). */
  kept: RxCollection<CopyRow>;
}

export type EngineDatabase = RxDatabase<MirrorCollections & LocalCollections>;

/** How long a removed record is remembered, ms: against an older copy of it that is still under way. */
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

/** The name that earlier versions gave to the database of one person on one server, by address and number. */
export function databaseName(server: string, userid: number): Promise<string> {
  return nameOf(`${server}\n${userid}`);
}

/** A name for a database that follows from `text`. */
export async function nameOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const hex = [...new Uint8Array(digest).slice(0, 10)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return `benchbook-${hex}`;
}

/** Opens the database `home`; databases of earlier versions are removed, for all they hold comes again (MIRROR-1). */
export async function openDatabase(
  home: string,
  storage: RxStorage<unknown, unknown>,
  multiInstance: boolean,
): Promise<EngineDatabase> {
  for (let version = 1; version < databaseVersion; version += 1)
    await removeRxDatabase(`${home}-v${version}`, storage, multiInstance);
  const options = databaseOptions(home, storage, multiInstance);
  const database = await createRxDatabase<MirrorCollections & LocalCollections>(options);
  try {
    await database.addCollections(homeCollections);
    return database;
  } catch (error) {
    // What stays open could not be opened a second time.
    await database.close().catch(() => undefined);
    throw error;
  }
}

/** What RxDB is told of a home's database. */
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

const mirrorCollections = Object.fromEntries(
  Object.entries(mirrorSchemas).map(([name, schema]) => [name, { schema }]),
) as Record<SyncedCollection, { schema: RxJsonSchema<StoredRecord> }>;

/** What the database of a home holds, by name. */
export const homeCollections = {
  ...mirrorCollections,
  outbox: { schema: outboxSchema },
  drafts: { schema: copySchema },
  kept: { schema: copySchema },
};

/** Whether this tab wrote a revision: RxDB names the writer in it, while its events always name the reader. */
export function isOwn({ database }: { database: { token: string } }, { _rev }: { _rev: string }): boolean {
  return _rev.endsWith(`-${database.token}`);
}

/** The collections of the mirror. */
export function mirrorOf(database: EngineDatabase): MirrorCollections {
  return Object.fromEntries(collectionNames.map((name) => [name, database[name]])) as MirrorCollections;
}

/** Forgets what was removed: calls at once, records of the mirror after a while. */
export async function cleanUp(database: EngineDatabase): Promise<void> {
  await database.outbox.cleanup(0);
  await database.drafts.cleanup(0);
  await database.kept.cleanup(0);
  for (const name of collectionNames) await database[name].cleanup(tombstoneLife);
}
