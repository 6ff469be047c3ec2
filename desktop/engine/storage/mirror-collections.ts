import type { RxCollection, RxJsonSchema } from 'rxdb';

import type { GuideFacts } from '#shared/model/guide.ts';
import type { FeedRow, SyncedCollection, SyncedDocument } from '#shared/sync/wire.ts';

import type { GuideRow } from '../platform/ports.ts';

/** A record in the mirror: shallow, because the structured clone of a deep one is what makes the store slow. */
export interface MirrorRow {
  id: string;
  seq: number;
  /** The facts as JSON; empty for a removed record. */
  body: string;
}

/** A guide in the mirror: what lists show stands beside the body. */
export type StoredGuide = MirrorRow & Omit<GuideRow, 'id' | 'seq'>;
/** A record that is found by its guide; 0 for none. */
export type GuidesRecord = MirrorRow & { guideid: number };
export type StoredRecord = MirrorRow & Partial<StoredGuide & GuidesRecord>;

export type MirrorCollection = RxCollection<StoredRecord>;
export type MirrorCollections = Record<SyncedCollection, MirrorCollection>;

/**
 * Version of everything the database holds. Another number begins another database: the mirror comes from the server
 * again, outbox and drafts from the journal.
 */
export const databaseVersion = 3;

const largestInteger = Number.MAX_SAFE_INTEGER;
const base = {
  id: { type: 'string', maxLength: 120 },
  seq: { type: 'integer' },
  body: { type: 'string' },
} as const;

function schemaOf(fields: Record<string, { type: string }>, indexes: string[]): RxJsonSchema<StoredRecord> {
  return {
    version: 0,
    primaryKey: 'id',
    type: 'object',
    properties: { ...base, ...fields } as RxJsonSchema<StoredRecord>['properties'],
    required: ['id', 'seq', 'body', ...Object.keys(fields)] as (keyof StoredRecord)[],
    indexes,
  };
}

const plain = schemaOf({}, []);
const byGuide = schemaOf(
  { guideid: { type: 'integer', minimum: 0, maximum: largestInteger, multipleOf: 1 } as { type: string } },
  ['guideid'],
);
const text = { type: 'string' };
const number = { type: 'number' };
const guide = schemaOf(
  {
    title: text,
    category: text,
    type: text,
    summary: text,
    difficulty: text,
    timeRequired: number,
    steps: number,
    imageGuid: text,
    public: { type: 'boolean' },
    userid: number,
    modifiedAt: number,
  },
  [],
);

export const mirrorSchemas: Record<SyncedCollection, RxJsonSchema<StoredRecord>> = {
  guides: guide,
  wikis: plain,
  stepForms: byGuide,
  workLog: byGuide,
  comments: byGuide,
  people: plain,
  media: plain,
  viewer: plain,
  training: plain,
};

/** Ids of the server begin with a digit or a letter. */
export const counterPrefix = '~writes-';

/** The id of the record that counts the writes of its collection since a load began (mirror README, MIRROR-20). */
export function counterId(loadId: string): string {
  return `${counterPrefix}${loadId}`;
}

/** The record that counts `count` writes of its collection; its body is empty. */
export function counterOf(c: SyncedCollection, loadId: string, count: number): StoredRecord {
  return toStored({ c, id: counterId(loadId), seq: count });
}

export function isCounter({ id }: { id: string }): boolean {
  return id.startsWith(counterPrefix);
}

/** A feed row as the mirror stores it. `body`: its facts as JSON, where the caller has them at hand. */
export function toStored(
  row: FeedRow,
  body = row.doc === undefined ? '' : JSON.stringify(row.doc),
): StoredRecord {
  // The feed's schema leaves documents to who reads them: they are what the server wrote for this collection.
  return {
    id: row.id,
    seq: row.seq,
    body,
    ...fieldsOf(row.c, row.doc as SyncedDocument<SyncedCollection> | undefined),
  };
}

function fieldsOf<C extends SyncedCollection>(
  collection: C,
  facts: SyncedDocument<C> | undefined,
): Partial<StoredRecord> {
  return indexedFields[collection](facts);
}

type Indexed<F> = (facts: F | undefined) => Partial<StoredRecord>;
const none: Indexed<unknown> = () => ({});
const ofGuide: Indexed<{ guideid: number | null }> = (facts) => ({ guideid: facts?.guideid ?? 0 });

const indexedFields: {
  [C in SyncedCollection]: Indexed<SyncedDocument<C>>;
} = {
  guides: guideFields,
  wikis: none,
  stepForms: ofGuide,
  workLog: ofGuide,
  comments: ofGuide,
  people: none,
  media: none,
  viewer: none,
  training: none,
};

function guideFields(facts: GuideFacts | undefined): Omit<StoredGuide, keyof MirrorRow> {
  return {
    title: facts?.title ?? '',
    category: facts?.category ?? '',
    type: facts?.type ?? '',
    summary: facts?.summary ?? '',
    difficulty: facts?.difficulty ?? '',
    timeRequired: facts?.time_required_max ?? 0,
    steps: facts?.steps.length ?? 0,
    imageGuid: facts?.image?.guid ?? '',
    public: facts?.public ?? false,
    userid: facts?.userid ?? 0,
    modifiedAt: (facts?.modified_date ?? 0) * 1000,
  };
}
