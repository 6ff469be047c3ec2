import { z } from 'zod';

import {
  answersRequest,
  batchQuery,
  batchRequest,
  bootstrapQuery,
  digestQuery,
  eventsQuery,
  packPath,
  packQuery,
  pullQuery,
  recordsRequest,
} from '#shared/sync/wire.ts';
import { identityAnswer, identityQuery } from '#shared/sync/identity.ts';

import { tusType, uploadId, uploadState } from '#shared/sync/uploads.ts';

import { del, get, patch, post } from './endpoint.ts';

const upload = z.object({ upload: uploadId.meta({ description: 'The id of the upload' }) });

const shared = { root: '/sync', extension: true } as const;

/** The endpoints for syncing devices (`shared/sync/wire.ts`): streams of lines, not part of the mounted resources. */
export const sync = {
  identity: get('/1/identity', {
    summary: 'Ask which server is at an origin; it signs its answer where its settings name that origin',
    access: 'public',
    ...shared,
    query: identityQuery,
    result: identityAnswer,
    refuses: [],
  }),
  pull: get('/1/pull', {
    summary: 'Read what moved since a checkpoint, a JSON record on each line between a head and a tail',
    ...shared,
    query: pullQuery,
    produces: ['application/x-ndjson'],
    refuses: [410, 426],
  }),
  bootstrap: get('/1/bootstrap', {
    summary: 'Read every record that the caller may see as one stream of lines',
    ...shared,
    query: bootstrapQuery,
    produces: ['application/x-ndjson'],
    refuses: [410, 426],
  }),
  pack: get('/1/packs/{hash}', {
    summary:
      'Read a pack, which the head of an initial load names: many records as one file that never changes',
    ...shared,
    params: packPath,
    query: packQuery,
    produces: ['application/gzip'],
    ranges: true,
    refuses: [404, 410, 426],
  }),
  events: get('/1/events', {
    summary: 'Follow what moves since a checkpoint as server-sent events',
    ...shared,
    query: eventsQuery,
    produces: ['text/event-stream'],
    refuses: [410, 426],
  }),
  batch: post('/1/batch', {
    summary: 'Send many calls of this API in one request; each is answered on a line of its own',
    ...shared,
    query: batchQuery,
    body: batchRequest,
    produces: ['application/x-ndjson'],
    refuses: [400, 410, 426],
  }),
  beginUpload: post('/1/uploads', {
    summary: 'Begin an upload (tus 1.0.0, creation): Upload-Length names its bytes',
    ...shared,
    status: 201,
    result: uploadState,
    conflict: uploadState,
    refuses: [410, 412, 413],
  }),
  readUpload: get('/1/uploads/{upload}', {
    summary: 'Read how far an upload is; HEAD answers the same in headers (tus 1.0.0)',
    ...shared,
    params: upload,
    result: uploadState,
    refuses: [404, 410],
  }),
  addToUpload: patch('/1/uploads/{upload}', {
    summary: 'Add bytes to an upload at Upload-Offset (tus 1.0.0)',
    ...shared,
    status: 204,
    params: upload,
    consumes: 'bytes',
    files: [tusType],
    conflict: uploadState,
    refuses: [404, 410, 412],
  }),
  removeUpload: del('/1/uploads/{upload}', {
    summary: 'Remove an upload (tus 1.0.0, termination)',
    ...shared,
    status: 204,
    params: upload,
    refuses: [404, 410, 412],
  }),
  answers: post('/1/answers', {
    summary: 'Ask what calls did whose answers never came, by their Idempotency-Keys',
    ...shared,
    query: batchQuery,
    body: answersRequest,
    produces: ['application/x-ndjson'],
    refuses: [400, 410, 426],
    reads: true,
  }),
  digest: get('/1/digest', {
    summary: 'Read the hash of every record that the caller may see, to compare a copy with the server',
    ...shared,
    query: digestQuery,
    produces: ['application/x-ndjson'],
    refuses: [410, 426],
  }),
  records: post('/1/records', {
    summary: 'Read records as the feed carries them now; what the caller may not see is told as removed',
    ...shared,
    reads: true,
    query: digestQuery,
    body: recordsRequest,
    produces: ['application/x-ndjson'],
    refuses: [400, 410, 426],
  }),
};
