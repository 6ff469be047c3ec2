import type { RxJsonSchema } from 'rxdb';

import { must } from '#shared/must.ts';
import { collectionNames, type SyncedCollection } from '#shared/sync/wire.ts';

import { mirrorKinds } from './mirror-kinds.ts';
import { MirrorRecords, type MirrorCollection, type StoredRecord } from './mirror-records.ts';

/** The records of each kind, whichever collection holds them. */
export type RecordsByKind = Readonly<Record<SyncedCollection, MirrorRecords>>;

/**
 * Version of everything that the database of a home holds. Another number begins another database: the mirror comes from
 * the server again, calls, drafts and kept words from the journal. The database also has copies of those, for a journal
 * that lost them, so a change that can be made in place is better (`shared-collection-move.ts`).
 */
export const databaseVersion = 3;

/** The collection of RxDB that small kinds share; RxDB's free edition opens 13 collections without delay. */
export const sharedCollection = 'records';

/** A schema without fields of its own. */
export const plainSchema = schemaOf({}, []);

const sharedSchema: RxJsonSchema<StoredRecord> = schemaOf(
  { id: { type: 'string', maxLength: 160 }, kind: { type: 'string', maxLength: 40 } },
  ['kind'],
);

/** The mirror's collections of RxDB, by name. */
export const mirrorSchemas: Readonly<Record<string, RxJsonSchema<StoredRecord>>> = {
  ...Object.fromEntries(
    collectionNames.flatMap((kind) => {
      const own = mirrorKinds[kind]?.own;
      return own === undefined ? [] : [[kind, schemaOf(own.properties, own.indexes)]];
    }),
  ),
  [sharedCollection]: sharedSchema,
};

function isShared(kind: SyncedCollection): boolean {
  return mirrorKinds[kind]?.own === undefined;
}

/** The records of each kind that a collection of RxDB holds. */
export function recordsIn(name: string, collection: MirrorCollection): MirrorRecords[] {
  return collectionNames
    .filter((kind) => (isShared(kind) ? sharedCollection : kind) === name)
    .map((kind) => new MirrorRecords(kind, collection, isShared(kind)));
}

/** The records of each kind, in the mirror's collections of RxDB by name. */
export function recordsByKind(collections: Readonly<Record<string, MirrorCollection>>): RecordsByKind {
  const all = Object.keys(mirrorSchemas).flatMap((name) => recordsIn(name, must(collections[name], name)));
  return Object.fromEntries(all.map((records) => [records.kind, records])) as RecordsByKind;
}

function schemaOf(fields: Record<string, object>, indexes: string[]): RxJsonSchema<StoredRecord> {
  const properties = {
    id: { type: 'string', maxLength: 120 },
    seq: { type: 'integer' },
    body: { type: 'string' },
    ...fields,
  };
  return {
    version: 0,
    primaryKey: 'id',
    type: 'object',
    properties: properties as RxJsonSchema<StoredRecord>['properties'],
    required: Object.keys(properties) as (keyof StoredRecord)[],
    indexes,
  };
}
