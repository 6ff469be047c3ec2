/**
 * Idempotency keys. The server stores what each key did for 400 days (`features/prune.ts`).
 *
 * - IDEMPOTENCY-1 A call that is repeated with its key takes effect once. The replay has the same status, with the
 *   record as it is now.
 * - IDEMPOTENCY-2 The same key with another method, path, query or body is 422. `revisionid` in the query does not count:
 *   a batch that is repeated after its result was lost resolves `previous` to a later revision (BATCH-3).
 * - IDEMPOTENCY-3 A key belongs to a person. A key of a call that a station sends in the name of a person belongs to the
 *   station and that person: the devices of the person do not see it, and under another person it is 422.
 * - IDEMPOTENCY-4 Nothing is stored for a refused call.
 * - IDEMPOTENCY-5 If several calls with one key arrive at the same time, one takes effect.
 * - IDEMPOTENCY-6 A replay is answered with the current permissions of the caller.
 * - IDEMPOTENCY-7 Calls without a response body (204) are recorded too.
 * - IDEMPOTENCY-8 A key has 8 to 64 letters, digits, dashes or underscores.
 * - IDEMPOTENCY-10 A replay has the form of the first response: every test of a write compares the two.
 * - IDEMPOTENCY-11 A read by POST (`reads` in its table) is not recorded: it is performed again.
 * - IDEMPOTENCY-12 Calls that are open to everybody (signing in, registering, resetting a password) are not recorded,
 *   because there is no person to whom the key could belong. Signing in again returns another token.
 * - IDEMPOTENCY-13 A secret (a token, the secret of a webhook) is in the first response only. It is not stored, and a
 *   replay leaves it out.
 * - IDEMPOTENCY-15 A proof of identity (`proofs` of an endpoint) is not part of the request hash, and is not stored. A
 *   new password is part of it, as a hash with the server's key: the same key with a different password is 422
 *   (IDEMPOTENCY-2).
 * - IDEMPOTENCY-16 A call whose answer is nothing but a secret (`unstored` in its table) is not recorded: it is performed
 *   again, with the checks of that moment.
 * - INPUT-15 After 400 days a key may be used again.
 */
import { createHash } from 'node:crypto';

import { Problem } from '#shared/api/problem.ts';
import type { Identity } from '#server/core/identity/identity.ts';
import { IncomingFile } from '#server/media/incoming.ts';
import { senderOf } from '#server/core/viewer.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Db, Tables, Tx } from '#server/storage/tables.ts';

import type { Incoming } from './call.ts';

/** Provides the key for hashes of values that could be guessed. */
type Keys = Pick<Identity, 'key'>;

/** The record that a replay returns. */
export interface Effect {
  kind: string;
  id: string;
}

/**
 * What the caller's key did before; undefined if it is new.
 * @throws Problem 422 if the key belongs to another request
 */
export async function findKnown(
  db: Db,
  incoming: Incoming,
  identity: Keys,
): Promise<{ status: number; effect: Effect | null } | undefined> {
  const { key, viewer } = incoming;
  if (key === null || viewer.userid === 0) return undefined;
  const [known] = await callOfKey(db, { userid: senderOf(viewer), key });
  if (known === undefined) return undefined;
  if (
    known.request_hash !== (await requestHash(withoutRevision(incoming), identity)) &&
    // As older versions stored it.
    known.request_hash !== (await requestHash(incoming, identity)) &&
    known.request_hash !== (await earlierHash(incoming))
  ) {
    throw new Problem('invalid', 'This Idempotency-Key was used for another request', {
      code: 'idempotency-key-reused',
      errors: [{ field: 'Idempotency-Key', message: 'Use a new key for a new request' }],
    });
  }
  const effect = known.kind === null ? null : { kind: known.kind, id: known.id ?? '' };
  return { status: known.status, effect };
}

/** Stores, under the call's key, what it did and the real ids of its temporary ids. */
export async function rememberEffect(
  tx: Tx,
  incoming: Incoming,
  done: { status: number; effect: Effect | null; temporaryIds: Map<string, string>; seconds: number },
  identity: Keys,
): Promise<void> {
  const { key, viewer } = incoming;
  const userid = senderOf(viewer);
  if (key === null || userid === 0) return;
  const { status, effect, temporaryIds, seconds } = done;
  await storeCall(tx, {
    userid,
    key,
    request_hash: await requestHash(withoutRevision(incoming), identity),
    status,
    kind: effect?.kind ?? null,
    id: effect?.id ?? null,
    created_date: seconds,
  });
  for (const [temporary, id] of temporaryIds) {
    await tx
      .insertInto('temporary_ids')
      .values({ userid, key: temporary, id })
      .onConflict((conflict) => conflict.columns(['userid', 'key']).doUpdateSet({ id }))
      .execute();
  }
}

const callOfKey = prepared<
  { userid: number; key: string },
  Pick<Tables['idempotency'], 'request_hash' | 'status' | 'kind' | 'id'>
>((db, value) =>
  db
    .selectFrom('idempotency')
    .select(['request_hash', 'status', 'kind', 'id'])
    .where('userid', '=', value('userid'))
    .where('key', '=', value('key')),
);

const storeCall = prepared<Tables['idempotency'], unknown>((db, value) =>
  db.insertInto('idempotency').values({
    userid: value('userid'),
    key: value('key'),
    request_hash: value('request_hash'),
    status: value('status'),
    kind: value('kind'),
    id: value('id'),
    created_date: value('created_date'),
  }),
);

/** The call without the revision in its query. */
function withoutRevision(incoming: Incoming): Incoming {
  const target = incoming.target.replaceAll(/(?<=[?&])revisionid=[^&]*&?/g, '').replace(/[?&]$/, '');
  return { ...incoming, target };
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(body: unknown): body is Fields {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

/** The body without the proof of identity, which is neither stored nor part of the request hash. */
function withoutProof(body: unknown, proofs: readonly string[]): unknown {
  if (!isFields(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !proofs.includes(name)));
}

/**
 * The hash by which a repeated request is recognised. A file is represented by its SHA-256, so that the hash is the
 * same whether the bytes come with the call or were uploaded before. A body with a new password is hashed with the
 * server's key: hashes are stored for a long time, and a plain one would allow guessing the password from a word list.
 * So is a body that is marked `guessable`.
 */
async function requestHash(incoming: Incoming, identity: Keys): Promise<string> {
  const { method, body, upload, proofs = [], guessable } = incoming;
  const target = targetFor(incoming);
  if (upload !== null) return hashOf(method, target, `sha256:${upload.sha256}`);
  if (body instanceof IncomingFile) return hashOf(method, target, `sha256:${await body.sha256()}`);
  const asked = withoutProof(body, proofs);
  const text = JSON.stringify(asked ?? null);
  if (guessable !== true && (!isFields(asked) || asked['password'] === undefined))
    return hashOf(method, target, text);
  return (await identity.key()).secretHash(`${method}\0${target}\0${text}`);
}

/** The target of a request, with the person in whose name a station calls. */
function targetFor({ target, viewer }: Incoming): string {
  const recording = viewer.station?.for;
  return recording === undefined ? target : `${target}\0for ${recording.accountid}`;
}

/** The request hash that older versions stored for calls with files, before uploads existed. */
async function earlierHash({ method, target, body, viewer }: Incoming): Promise<string | undefined> {
  if (!(body instanceof IncomingFile) || viewer.station !== undefined) return undefined;
  const hash = createHash('sha256').update(`${method}\0${target}\0`);
  for await (const piece of body.pieces()) hash.update(piece);
  return hash.digest('hex');
}

function hashOf(method: string, target: string, body: string): string {
  return createHash('sha256').update(`${method}\0${target}\0`).update(body).digest('hex');
}
