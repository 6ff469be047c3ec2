import type { OutboxCall } from '#desktop/engine/platform/ports.ts';

/** A call that waits in the outbox, as plain as one can be, with `change` on top. */
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
