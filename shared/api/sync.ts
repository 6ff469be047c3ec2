import { identityAnswer, identityQuery } from '#shared/sync/identity.ts';
import { batchRequest, bootstrapQuery, eventsQuery, pullQuery } from '#shared/sync/wire.ts';

import { get, post } from './endpoint.ts';

const shared = { root: '/sync', extension: true } as const;

/** What devices keep their copies by (`shared/sync/wire.ts`): streams of lines, outside the mounted resources. */
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
    refuses: [410],
  }),
  bootstrap: get('/1/bootstrap', {
    summary: 'Read every record that the caller may see as one stream of lines',
    ...shared,
    query: bootstrapQuery,
    produces: ['application/x-ndjson'],
    refuses: [],
  }),
  events: get('/1/events', {
    summary: 'Follow what moves since a checkpoint as server-sent events',
    ...shared,
    query: eventsQuery,
    produces: ['text/event-stream'],
    refuses: [410],
  }),
  batch: post('/1/batch', {
    summary: 'Send many calls of this API in one request; each is answered on a line of its own',
    ...shared,
    body: batchRequest,
    produces: ['application/x-ndjson'],
    refuses: [400],
  }),
};
