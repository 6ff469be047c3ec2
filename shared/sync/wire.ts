import { z } from 'zod';

import { commentFacts } from '#shared/model/comment.ts';
import { deviationFacts } from '#shared/model/deviations.ts';
import { guideFacts } from '#shared/model/guide.ts';
import { mediaItemFacts } from '#shared/model/media.ts';
import { plannedOrderFacts } from '#shared/model/planned-orders.ts';
import { releaseFacts, releaseText } from '#shared/model/release-facts.ts';
import { shiftSummaryFacts } from '#shared/model/shift-summaries.ts';
import { stepForm } from '#shared/model/step-form.ts';
import { trainingFacts } from '#shared/model/training-facts.ts';
import { peopleFacts } from '#shared/model/user.ts';
import { viewerFacts } from '#shared/model/viewer.ts';
import { wikiFacts } from '#shared/model/wiki.ts';
import { entryFacts } from '#shared/model/work-log.ts';
import { workVersion } from '#shared/model/work-version.ts';

import { serverId } from './identity.ts';
import { announcement } from './protocol.ts';

// Additions are allowed: new optional properties, new messages, new collections. Everything else stays as it is,
// because devices in the field use it (README.md, PROTOCOL-2).

/** The synced collections, each with the schema of its compact documents. Record ids are strings. */
export const syncedCollections = {
  guides: guideFacts,
  wikis: wikiFacts,
  stepForms: stepForm,
  workLog: entryFacts,
  comments: commentFacts,
  people: peopleFacts,
  media: mediaItemFacts,
  viewer: viewerFacts,
  training: trainingFacts,
  deviations: deviationFacts,
  plannedOrders: plannedOrderFacts,
  workVersions: workVersion,
  releases: releaseFacts,
  releaseTexts: releaseText,
  shiftSummaries: shiftSummaryFacts,
} as const;

export type SyncedCollection = keyof typeof syncedCollections;
export const collectionNames = Object.keys(syncedCollections) as [SyncedCollection, ...SyncedCollection[]];
export const collectionName = z.enum(collectionNames);

/** The collections of protocol 5, which devices know that do not say what they know. */
export const collectionsOfFive: readonly SyncedCollection[] = [
  'guides',
  'wikis',
  'stepForms',
  'workLog',
  'comments',
  'people',
  'media',
  'viewer',
  'training',
];
export type SyncedDocument<C extends SyncedCollection> = z.infer<(typeof syncedCollections)[C]>;

/**
 * `{seq}.{nonce}`: a checkpoint, which is a position in the feed of one server. If the server does not know the pair,
 * the device followed another history.
 */
export const checkpointText = z.string().regex(/^\d+\.[0-9a-z]+$/);

/**
 * In the query of every request: the highest checkpoint that the device ever saw, in pages, events and results of its
 * calls. The server answers 410 `unknown-place` when its feed does not contain it.
 */
const seenCheckpoint = checkpointText.optional();

/**
 * In the query of every request: how many changes wait on the device, and the age of the oldest in seconds, as
 * `{count}.{age}`. For monitoring only.
 */
export const waitingReport = z.string().regex(/^\d{1,9}\.\d{1,9}$/);

/**
 * In the query of every request: the id of the server that the device expects. Any other server answers 410
 * `other-server`. It does so before it checks the token, and runs nothing.
 */
export const expectedServer = serverId.optional();

/**
 * In the query of every request: an id that no other request has. Heads and refusals repeat it. A device can thereby
 * recognise the answer to another request, for example one that a proxy cached.
 */
export const requestName = z
  .string()
  .regex(/^[\w-]{1,64}$/)
  .optional();

/** A SHA-256 in hexadecimal. */
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * A pack: records of one collection, as a gzip file of the lines with which an initial load would send them. `GET
 * /sync/1/packs/{hash}` returns its `bytes` bytes. `titles`: a file of the same kind with a `guideTitle` for each guide.
 */
export const pack = z.strictObject({
  c: z.string(),
  hash: sha256,
  bytes: z.int(),
  records: z.int(),
  titles: z.strictObject({ hash: sha256, bytes: z.int() }).optional(),
});
export type Pack = z.infer<typeof pack>;

/** What lists show of a guide whose facts come later. `modifiedAt`: ms since 1970. */
export const guideTitle = z.strictObject({
  id: z.string(),
  seq: z.int(),
  title: z.string(),
  category: z.string(),
  type: z.string(),
  summary: z.string(),
  difficulty: z.string(),
  timeRequired: z.number(),
  steps: z.int(),
  imageGuid: z.string(),
  public: z.boolean(),
  userid: z.int(),
  modifiedAt: z.number(),
});
export type GuideTitle = z.infer<typeof guideTitle>;

/** Path of `GET /sync/1/packs/{hash}`. */
export const packPath = z.object({ hash: sha256.meta({ description: 'The SHA-256 of the pack' }) });

/**
 * First line of every NDJSON answer. `now`: the server's clock in milliseconds. A device of protocol 5 refuses a head
 * with any other key than `protocol`, `history`, `now` and `total`.
 */
export const feedHead = z.strictObject({
  protocol: z.int(),
  history: z.string(),
  now: z.number(),
  /**
   * The server's id (from protocol 6). A device whose library belongs to another server ignores the rest of the answer.
   */
  server: serverId.optional(),
  /** The `request` that this answers (from protocol 6). */
  request: requestName,
  /** Initial load only: the number of records that follow. */
  total: z.int().optional(),
  /**
   * Initial load only: the checkpoint that the tail will name, and the `after` from which the stream continues; 0 from
   * the start.
   */
  checkpoint: checkpointText.optional(),
  after: z.int().min(0).optional(),
  /**
   * Initial load with `packs` only: packs with the records that the stream leaves out, and an id of this selection. The
   * records of packs are not part of `total`.
   */
  packs: z.array(pack).optional(),
  selection: z.string().optional(),
});
export type FeedHead = z.infer<typeof feedHead>;

/**
 * One record that changed. With `doc`: its current facts. With `removed`: it was deleted, or this viewer may no longer
 * see it. With neither: a later change superseded this one, which is sent only because `key` is the viewer's own.
 * `key`: the Idempotency-Key of the call that made the change, sent only to the user of that call.
 */
export const feedRow = z.strictObject({
  c: collectionName,
  id: z.string(),
  seq: z.int(),
  doc: z.unknown().optional(),
  removed: z.literal(true).optional(),
  key: z.string().optional(),
});
export type FeedRow = Omit<z.infer<typeof feedRow>, 'doc'> & { doc?: object | undefined };

/** Last line of every NDJSON answer to a pull or an initial load. */
export const feedTail = z.strictObject({ checkpoint: checkpointText, more: z.boolean() });
export type FeedTail = z.infer<typeof feedTail>;

/**
 * Query of `GET /sync/1/pull`: the changes after the checkpoint `since`; the server reads at most `limit` rows of the
 * feed. 410 when it does not know `since`.
 */
export const pullQuery = z.object({
  protocol: announcement,
  seen: seenCheckpoint,
  waiting: waitingReport.optional().catch(undefined),
  server: expectedServer,
  request: requestName,
  since: checkpointText,
  collections: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(2000).default(500),
});

/**
 * Query of `GET /sync/1/bootstrap`: every record that the viewer may see, as one stream in feed order. To resume a
 * stream that was cut, a device sends `since`, the checkpoint of its first head, and `after`, the seq of the last
 * record that arrived. 410 when the server does not know `since`. A head without `after` comes from a server that
 * cannot resume and starts again.
 */
export const bootstrapQuery = z.object({
  protocol: announcement,
  seen: seenCheckpoint,
  waiting: waitingReport.optional().catch(undefined),
  server: expectedServer,
  request: requestName,
  collections: z.string().optional(),
  since: checkpointText.optional(),
  after: z.coerce.number().int().min(0).default(0).meta({
    description: 'The seq of the last record of a stream that was cut; the answer goes on after it',
  }),
  packs: z.literal('1').optional().catch(undefined).meta({
    description: '`1`: the head names packs, and the stream leaves out what they contain',
  }),
  selection: z.string().max(64).optional().catch(undefined).meta({
    description:
      'With `packs` and `after`: `selection` of the first head. If the packs changed since, the stream starts again',
  }),
});

/** Query of `GET /sync/1/packs/{hash}`. */
export const packQuery = z.object({
  protocol: announcement,
  seen: seenCheckpoint,
  waiting: waitingReport.optional().catch(undefined),
  server: expectedServer,
  request: requestName,
});

/**
 * Query of `GET /sync/1/events`: server-sent events, read with fetch. First comes an event `head`, then events `rows`
 * with `{rows, checkpoint}`, beginning with the changes after `since`. A comment every 20 s keeps the connection alive.
 */
export const eventsQuery = z.object({
  protocol: announcement,
  seen: seenCheckpoint,
  waiting: waitingReport.optional().catch(undefined),
  server: expectedServer,
  request: requestName,
  since: checkpointText,
});
export const rowsEvent = z.strictObject({ rows: z.array(feedRow), checkpoint: checkpointText });
export type RowsEvent = { rows: FeedRow[]; checkpoint: string };

/**
 * The temporary id of the record that the call with this key will create. Calls of the same person may use it wherever
 * a real id is allowed.
 */
export function temporaryId(key: string): string {
  return `tmp:${key}`;
}
/**
 * A temporary id: made from a key of a device, or from the number of a removed step, which keeps that number as its key
 * when it is restored.
 */
export const temporaryIdPattern = /tmp:(?:[0-9A-Za-z-]{8,64}|\d+)/g;

/** The `revisionid` that stands for the revision made by the previous call of the same lane. */
export const previousRevision = 'previous';

/** A file of the media library: its number, and its guid, which no other file ever has. */
export const namedFile = z.strictObject({
  kind: z.enum(['image', 'document']),
  id: z.int(),
  guid: z.string(),
});
export type NamedFile = z.infer<typeof namedFile>;

/** A step of a guide: its number, and its identity (`stepKeyOf`), which no other step should ever have. */
export const namedStep = z.strictObject({ id: z.int(), key: z.string() });
export type NamedStep = z.infer<typeof namedStep>;

/** A field of a form: the number of its revision, and its guid, which no other field ever has. */
const namedField = z.strictObject({ id: z.int(), guid: z.string() });

/**
 * One documented call of `/api/2.0` that waits on a device. `id`: its Idempotency-Key (UUIDv7), from which the
 * temporary id of what it creates is made. `path`: relative to `/api/2.0`. Path, query values and body may contain
 * temporary ids.
 */
export const batchCall = z.strictObject({
  id: z.string().min(8).max(64),
  lane: z.string().min(1).max(120),
  method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string().startsWith('/'),
  query: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
  /** The record that the call changes. After a restore its number may belong to another record, which `uid` reveals. */
  record: z.strictObject({ c: collectionName, id: z.string(), uid: z.string() }).optional(),
  /** The files that the body names by number. After a restore a number may belong to another file. */
  files: z.array(namedFile).optional(),
  /** The step that the path or body names by number. After a restore the number may belong to another step. */
  step: namedStep.optional(),
  /** The form fields that the body names by number. After a restore a number may belong to another field. */
  fields: z.array(namedField).optional(),
  /** Only of stations: the account in whose name the call is made, and when the person did it (ISO 8601). */
  recorded_for: z.string().min(1).max(100).optional(),
  recorded_at: z.string().min(1).max(100).optional(),
});
export type BatchCall = z.infer<typeof batchCall>;

/** Maximum number of calls, and of bytes, in one batch. */
export const batchLimits = { calls: 200, bytes: 4 * 1024 * 1024 } as const;

/** Query of `POST /sync/1/batch`. */
export const batchQuery = z.object({
  protocol: announcement,
  seen: seenCheckpoint,
  waiting: waitingReport.optional().catch(undefined),
  server: expectedServer,
  request: requestName,
});

/**
 * Body of `POST /sync/1/batch`. Calls of one lane run in order; lanes are independent. `protocol`: the protocol that
 * the device believes both sides speak.
 */
export const batchRequest = z.strictObject({
  protocol: z.int(),
  calls: z.array(batchCall).max(batchLimits.calls),
});
export type BatchRequest = z.infer<typeof batchRequest>;

/**
 * One line of the answer for each call, after a head line. `status` 0: not run, because the call `after` of the same
 * lane was refused. `rows`: the records as they are now (after a 2xx; after a 409, the record in conflict). `created`:
 * the real ids of temporary ids, such as `{"tmp:…": 61}`. `replayed`: the call had already taken effect.
 */
export const batchResult = z.strictObject({
  id: z.string(),
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.unknown().optional(),
  after: z.string().optional(),
  rows: z.array(feedRow),
  created: z.record(z.string(), z.union([z.int(), z.string()])),
  replayed: z.boolean(),
  /** The newest checkpoint of the feed when the call was done; the device sends it back as `seen`. */
  place: checkpointText.optional(),
});
export type BatchResult = Omit<z.infer<typeof batchResult>, 'rows'> & { rows: FeedRow[] };

/** Maximum number of keys in one request. */
export const mostKeys = 200;

/** Body of `POST /sync/1/answers`: the Idempotency-Keys of calls whose answers never reached the device. */
export const answersRequest = z.strictObject({
  keys: z.array(z.string().min(8).max(64)).max(mostKeys),
});
export type AnswersRequest = z.infer<typeof answersRequest>;

/**
 * One line of the answer for each key, after a head line: the line with which the batch would answer now, or the fact
 * that the server has done nothing under this key.
 */
export const unknownKey = z.strictObject({ id: z.string(), unknown: z.literal(true) });
export const answerLine = z.union([batchResult, unknownKey]);
export type AnswerLine = BatchResult | z.infer<typeof unknownKey>;

/**
 * One record that the viewer may see, as `GET /sync/1/digest` lists it. `hash`: the first 16 hexadecimal digits of the
 * SHA-256 of its document as the feed sends it (UTF-8).
 */
export const digestLine = z.object({
  c: collectionName,
  id: z.string(),
  seq: z.int(),
  hash: z.string().regex(/^[0-9a-f]{16}$/),
});
export type DigestLine = z.infer<typeof digestLine>;

/** Query of `GET /sync/1/digest` and of `POST /sync/1/records`. */
export const digestQuery = z.object({
  protocol: announcement,
  server: expectedServer,
  request: requestName,
});

/** Maximum number of records in one `POST /sync/1/records`. */
export const mostRecords = 200;

/** Body of `POST /sync/1/records`: the records to read in their current state. */
export const recordsRequest = z.object({
  records: z.array(z.object({ c: collectionName, id: z.string().max(120) })).max(mostRecords),
});

/** Number of hexadecimal digits that are compared: 64 bits, enough against accidental collisions. */
export const digestDigits = 16;
