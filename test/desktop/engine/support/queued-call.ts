import type { OutboxCall } from '#desktop/engine/platform/ports.ts';

/** A minimal waiting call of the outbox, with `change` applied. */
export function queuedCall(change: Partial<OutboxCall> & Pick<OutboxCall, 'kind'>): OutboxCall {
  return {
    id: '0199aaaa-0000-7000-8000-000000000001',
    userid: 1,
    lane: 'lane',
    method: 'PATCH',
    path: '/guides/1',
    query: {},
    body: undefined,
    fileId: null,
    needs: [],
    target: { collection: 'guides', id: '1' },
    subject: 'Guide',
    at: 1000,
    order: 1,
    state: 'queued',
    tries: 0,
    nextTryAt: 0,
    created: {},
    doneSeq: null,
    doneAt: null,
    refusal: null,
    context: null,
    ...change,
  };
}
