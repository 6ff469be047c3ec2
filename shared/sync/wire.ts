import { z } from 'zod';

import { commentFacts } from '#shared/model/comment.ts';
import { guideFacts } from '#shared/model/guide.ts';
import { mediaItemFacts } from '#shared/model/media.ts';
import { stepForm } from '#shared/model/step-form.ts';
import { trainingFacts } from '#shared/model/training-facts.ts';
import { peopleFacts } from '#shared/model/user.ts';
import { viewerFacts } from '#shared/model/viewer.ts';
import { wikiFacts } from '#shared/model/wiki.ts';
import { entryFacts } from '#shared/model/work-log.ts';

import { serverId } from './identity.ts';
import { announcement } from './protocol.ts';

// What this file describes may grow: new optional properties, new messages, new collections. Everything else stays as
// it is, since devices in the field speak it (README.md, PROTOCOL-2).

/** The synced collections with the schema of their compact documents. Record ids are strings. */
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
} as const;

export type SyncedCollection = keyof typeof syncedCollections;
export const collectionNames = Object.keys(syncedCollections) as [SyncedCollection, ...SyncedCollection[]];
export const collectionName = z.enum(collectionNames);
export type SyncedDocument<C extends SyncedCollection> = z.infer<(typeof syncedCollections)[C]>;

/** `{seq}.{nonce}`: a place in one server's history. A pair that the server does not know means another history. */
export const checkpointText = z.string().regex(/^\d+\.[0-9a-z]+$/);

/**
 * In the query of every request: the highest place that the device ever saw, in pages, events and answers to its calls.
 * 410 `unknown-place` when this server's history does not hold it.
 */
const seenPlace = checkpointText.optional();

/**
 * In the query of every request: the server that the device believes is there. Any other refuses with 410
 * `other-server`, before it looks at the token, and runs nothing.
 */
export const expectedServer = serverId.optional();

/**
 * In the query of every request: a text that no other request has. Heads and refusals repeat it, so that the device
 * takes no answer to another request for the answer to this one, such as one that a cache has kept.
 */
export const requestName = z
  .string()
  .regex(/^[\w-]{1,64}$/)
  .optional();

/**
 * First line of every NDJSON answer. `now` is the server's clock in ms. A device of protocol 5 refuses a head with
 * anything but `protocol`, `history`, `now` and `total`.
 */
export const feedHead = z.strictObject({
  protocol: z.int(),
  history: z.string(),
  now: z.number(),
  /** The server's id, from protocol 6 on: a device whose library is of another one takes nothing of what follows. */
  server: serverId.optional(),
  /** The `request` that this answers, from protocol 6 on. */
  request: requestName,
  /** Bootstrap only: how many records follow. */
  total: z.int().optional(),
  /** Bootstrap only: the checkpoint that its tail will name, and the `after` that it goes on from; 0 from the start. */
  checkpoint: checkpointText.optional(),
  after: z.int().min(0).optional(),
});
export type FeedHead = z.infer<typeof feedHead>;

/**
 * One record that moved. With `doc`: its current facts. With `removed`: it is gone, or no longer to be seen by this
 * viewer. With neither: a change that a later one superseded, told only because `key` is the viewer's own.
 * `key`: the Idempotency-Key of the call that made it, shown to its own user only.
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

/** Last line of every NDJSON answer of pull and bootstrap. */
export const feedTail = z.strictObject({ checkpoint: checkpointText, more: z.boolean() });
export type FeedTail = z.infer<typeof feedTail>;

/** `GET /sync/1/pull`: what moved after `since`, at most `limit` feed rows scanned. 410 when `since` is unknown here. */
export const pullQuery = z.object({
  protocol: announcement,
  seen: seenPlace,
  server: expectedServer,
  request: requestName,
  since: checkpointText,
  collections: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(2000).default(500),
});

/**
 * `GET /sync/1/bootstrap`: every record the viewer may see, as one stream in feed order. One that was cut goes on with
 * `since`, the checkpoint of its first head, and `after`, the seq of the last record that arrived. 410 when `since` is
 * unknown here. A head without `after` is that of a server that begins anew, whatever was asked for.
 */
export const bootstrapQuery = z.object({
  protocol: announcement,
  seen: seenPlace,
  server: expectedServer,
  request: requestName,
  collections: z.string().optional(),
  since: checkpointText.optional(),
  after: z.coerce.number().int().min(0).default(0).meta({
    description: 'The seq of the last record of a stream that was cut; the answer goes on after it',
  }),
});

/**
 * `GET /sync/1/events`: server-sent events, read with fetch. Event `rows`: `{rows, checkpoint}`; event `head` first.
 * Comments every 20 s keep the connection alive. Begins with what moved after `since`.
 */
export const eventsQuery = z.object({
  protocol: announcement,
  seen: seenPlace,
  server: expectedServer,
  request: requestName,
  since: checkpointText,
});
export const rowsEvent = z.strictObject({ rows: z.array(feedRow), checkpoint: checkpointText });
export type RowsEvent = { rows: FeedRow[]; checkpoint: string };

/** A temporary id: names what a call of the same person will create; stands wherever the real id would. */
export function temporaryId(key: string): string {
  return `tmp:${key}`;
}
/** What a device made up, or the number of a step that was removed: a step that is put back keeps it as its key. */
export const temporaryIdPattern = /tmp:(?:[0-9A-Za-z-]{8,64}|\d+)/g;

/** `revisionid` value that means the revision which the call before it in the same lane produced. */
export const previousRevision = 'previous';

/** A file of the media library, by its number and its guid, which no other file ever has. */
export const namedFile = z.strictObject({
  kind: z.enum(['image', 'document']),
  id: z.int(),
  guid: z.string(),
});
export type NamedFile = z.infer<typeof namedFile>;

/** A step of a guide, by its number and its identity (`stepKeyOf`), which no other step should ever have. */
export const namedStep = z.strictObject({ id: z.int(), key: z.string() });
export type NamedStep = z.infer<typeof namedStep>;

/** A field of a form, by the number of its revision and its guid, which no other field ever has. */
const namedField = z.strictObject({ id: z.int(), guid: z.string() });

/**
 * One documented call of `/api/2.0`, waiting on a device. `id` is its Idempotency-Key (UUIDv7) and the temporary id
 * of what it creates. `path` is relative to `/api/2.0`. Temporary ids may stand in path, query values and body.
 */
export const batchCall = z.strictObject({
  id: z.string().min(8).max(64),
  lane: z.string().min(1).max(120),
  method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string().startsWith('/'),
  query: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
  /** The record that the call is for, as the device knew it: after a restore its number may be another record's. */
  record: z.strictObject({ c: collectionName, id: z.string(), uid: z.string() }).optional(),
  /** The files that its body names by number, as the device knew them: after a restore a number may be another file's. */
  files: z.array(namedFile).optional(),
  /** The step that its path or body names by number, as the device knew it: after a restore that may be another step's. */
  step: namedStep.optional(),
  /** The fields that its body names by number, as the device knew them: after a restore a number may be another field's. */
  fields: z.array(namedField).optional(),
});
export type BatchCall = z.infer<typeof batchCall>;

/** Most calls, and most bytes, of one batch. */
export const batchLimits = { calls: 200, bytes: 4 * 1024 * 1024 } as const;

/** Query of `POST /sync/1/batch`. */
export const batchQuery = z.object({
  protocol: announcement,
  seen: seenPlace,
  server: expectedServer,
  request: requestName,
});

/** `POST /sync/1/batch`. Lanes run in order, independent of each other. `protocol`: what the device believes is spoken. */
export const batchRequest = z.strictObject({
  protocol: z.int(),
  calls: z.array(batchCall).max(batchLimits.calls),
});
export type BatchRequest = z.infer<typeof batchRequest>;

/**
 * One line per call of the NDJSON answer, after a head line. `status` 0: not run, because the call of the same lane
 * `after` was refused. `rows`: the records as they are now (after a 2xx, and for a 409 the record in conflict).
 * `created`: temporary ids made real, e.g. `{"tmp:…": 61}`. `replayed`: the effect was already there.
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
  /** The newest place of the feed when the call was done; devices tell it again (`seen`). */
  place: checkpointText.optional(),
});
export type BatchResult = Omit<z.infer<typeof batchResult>, 'rows'> & { rows: FeedRow[] };

/** Most keys of one question. */
export const mostKeys = 200;

/** `POST /sync/1/answers`: the Idempotency-Keys of calls whose answers a device never got. */
export const answersRequest = z.strictObject({
  keys: z.array(z.string().min(8).max(64)).max(mostKeys),
});
export type AnswersRequest = z.infer<typeof answersRequest>;

/**
 * One line per key of the NDJSON answer, after a head line: the line that the batch would answer if it were sent again,
 * or that the server has done nothing under this key.
 */
export const unknownKey = z.strictObject({ id: z.string(), unknown: z.literal(true) });
export const answerLine = z.union([batchResult, unknownKey]);
export type AnswerLine = BatchResult | z.infer<typeof unknownKey>;

/**
 * One record that the viewer may see, as `GET /sync/1/digest` names it. `hash`: the first 16 hexadecimal digits of the
 * SHA-256 of its document as the feed carries it (UTF-8).
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

/** Records that `POST /sync/1/records` reads at once. */
export const mostRecords = 200;

/** `POST /sync/1/records`: which records are read as they are now. */
export const recordsRequest = z.object({
  records: z.array(z.object({ c: collectionName, id: z.string().max(120) })).max(mostRecords),
});

/** How many hexadecimal digits of a hash are compared: 64 bits, against accidents. */
export const digestDigits = 16;
