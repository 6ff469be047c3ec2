import { createHash } from 'node:crypto';

import { Problem } from '#shared/api/problem.ts';
import type { Identity } from '#server/core/identity/identity.ts';
import { IncomingFile } from '#server/media/incoming.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Db, Tables, Tx } from '#server/storage/tables.ts';

import type { Incoming } from './call.ts';
import type { RecordKind } from '../core/context.ts';

/** Provides the key for hashes of values that could be guessed. */
type Keys = Pick<Identity, 'key'>;

/** The record that a replay answers with. */
export interface Effect {
  kind: RecordKind;
  id: string;
}

/** What this key of the caller did before; 422 when it was another request. */
export async function findKnown(
  db: Db,
  incoming: Incoming,
  identity: Keys,
): Promise<{ status: number; effect: Effect | null } | undefined> {
  const { key, viewer } = incoming;
  if (key === null || viewer.userid === 0) return undefined;
  const [known] = await callOfKey(db, { userid: viewer.userid, key });
  if (known === undefined) return undefined;
  if (
    known.request_hash !== (await requestHash(incoming, identity)) &&
    known.request_hash !== (await earlierHash(incoming))
  ) {
    throw new Problem('invalid', 'This Idempotency-Key was used for another request', {
      code: 'idempotency-key-reused',
      errors: [{ field: 'Idempotency-Key', message: 'Use a new key for a new request' }],
    });
  }
  const effect = known.kind === null ? null : { kind: known.kind as RecordKind, id: known.id ?? '' };
  return { status: known.status, effect };
}

/** Remembers under the call's key what it did, and what its temporary ids became. */
export async function rememberEffect(
  tx: Tx,
  incoming: Incoming,
  done: { status: number; effect: Effect | null; temporaryIds: Map<string, string>; seconds: number },
  identity: Keys,
): Promise<void> {
  const { key, viewer } = incoming;
  const { userid } = viewer;
  if (key === null || userid === 0) return;
  const { status, effect, temporaryIds, seconds } = done;
  await storeCall(tx, {
    userid,
    key,
    request_hash: await requestHash(incoming, identity),
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

type Fields = Readonly<Record<string, unknown>>;

function isFields(body: unknown): body is Fields {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

/** Without the proof of identity: it is not stored, and does not make it another call. */
function withoutProof(body: unknown, proofs: readonly string[]): unknown {
  if (!isFields(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !proofs.includes(name)));
}

/**
 * A file is represented by its SHA-256: the call is the same whether the bytes come with it or were uploaded before. A
 * body with a new password is hashed with the key of the server: a plain hash, which is stored for long, would allow
 * guessing the password from a word list.
 */
async function requestHash(incoming: Incoming, identity: Keys): Promise<string> {
  const { method, target, body, upload, proofs = [] } = incoming;
  if (upload !== null) return hashOf(method, target, `sha256:${upload.sha256}`);
  if (body instanceof IncomingFile) return hashOf(method, target, `sha256:${await body.sha256()}`);
  const asked = withoutProof(body, proofs);
  const text = JSON.stringify(asked ?? null);
  if (!isFields(asked) || asked['password'] === undefined) return hashOf(method, target, text);
  return (await identity.key()).secretHash(`${method}\0${target}\0${text}`);
}

/** The hash that calls with files were remembered under before files could be uploaded first. */
async function earlierHash({ method, target, body }: Incoming): Promise<string | undefined> {
  if (!(body instanceof IncomingFile)) return undefined;
  const hash = createHash('sha256').update(`${method}\0${target}\0`);
  for await (const piece of body.pieces()) hash.update(piece);
  return hash.digest('hex');
}

function hashOf(method: string, target: string, body: string): string {
  return createHash('sha256').update(`${method}\0${target}\0`).update(body).digest('hex');
}
