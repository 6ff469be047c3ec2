import type { Problem, ProblemCode } from '#shared/api/problem.ts';
import type { BatchResult, FeedRow } from '#shared/sync/wire.ts';

import type { OutboxCall } from '../platform/ports.ts';
import { callKindSpecs } from './kinds/index.ts';
import { createdBy } from '../sync/rows.ts';
import { bare } from '../sync/temporary-ids.ts';

/** What the server said to one call, however it was sent. */
export type Answer = Pick<BatchResult, 'status' | 'headers' | 'body' | 'rows' | 'created' | 'replayed'>;

/** What an answer means for a call. */
export type Verdict = 'done' | 'not-run' | 'sign-in' | 'again' | 'conflict' | 'refused';

export function verdictOf(status: number): Verdict {
  if (status === 0) return 'not-run';
  if (status >= 200 && status < 300) return 'done';
  if (status === 401) return 'sign-in';
  if (status === 409) return 'conflict';
  if (status === 408 || status === 425 || status === 429 || status >= 500) return 'again';
  return 'refused';
}

/** The call when it is done, with the real ids that it created and the feed position of its effect (OUTBOX-12). */
export function doneCall(
  call: OutboxCall,
  answer: Pick<Answer, 'rows' | 'created'>,
  now: number,
): OutboxCall {
  const created = { ...createdOf(call, answer.rows), ...textValues(answer.created) };
  const done: OutboxCall = { ...call, state: 'done', created, refusal: null, doneAt: now, doneSeq: null };
  const row = targetRow(done, answer.rows);
  return { ...done, doneSeq: row?.seq ?? lastSeq(answer.rows) };
}

/** The row of the record that a call is about. */
export function targetRow(call: OutboxCall, rows: readonly FeedRow[]): FeedRow | undefined {
  const id = call.created[call.target.id] ?? call.target.id;
  return rows.find((row) => row.c === call.target.collection && row.id === id);
}

/** The call parked with the server's words (OUTBOX-5). */
export function parkedCall(call: OutboxCall, status: number, body: unknown): OutboxCall {
  const { message, errors, code } = (body ?? {}) as { message?: unknown; errors?: unknown; code?: unknown };
  return {
    ...call,
    state: 'parked',
    refusal: {
      status,
      message:
        code === unknownId
          ? needsWhatIsGone(call)
          : typeof message === 'string'
            ? message
            : `The server answered ${status}`,
      ...(typeof code === 'string' ? { code } : {}),
      errors: Array.isArray(errors)
        ? errors.filter(isFieldError).map(({ field, message: text }) => ({ field, message: text }))
        : [],
    },
  };
}

const unknownId: ProblemCode = 'temporary-id-unknown';

/** Message for a lost temporary id: the server's own message names the id, which means nothing to a person. */
function needsWhatIsGone({ kind }: OutboxCall): string {
  return (
    callKindSpecs[kind].fileLost ??
    'Something that this belongs to is not on the server. Send it again once that is there, or discard it.'
  );
}

/** Whether a refusal says that what the call removes is absent already (OUTBOX-16, OUTBOX-20). */
export function isDoneAlready(
  { kind, method }: OutboxCall,
  { status, body }: Pick<Answer, 'status' | 'body'>,
): boolean {
  const isGone = (callKindSpecs[kind].absent ?? []).some((problem) => saysSo(body, problem));
  return method === 'DELETE' && status === 404 && isGone;
}

/** Whether a body is this refusal: by its code, or by its message from servers of protocol 5, which have no codes. */
function saysSo(body: unknown, problem: Problem): boolean {
  const { code, message } = (body ?? {}) as { code?: unknown; message?: unknown };
  return code === undefined ? message === problem.message : code === problem.code;
}

/** Real ids of what this call creates, by temporary id. Rows may also hold steps that somebody else created. */
function createdOf(call: OutboxCall, rows: readonly FeedRow[]): Record<string, string> {
  const all = rows.flatMap((row) => Object.entries(createdBy(row)));
  const body = JSON.stringify(call.body) ?? '';
  return Object.fromEntries(
    all.filter(([temporary]) => bare(temporary) === call.id || body.includes(bare(temporary))),
  );
}

function textValues(created: Record<string, string | number>): Record<string, string> {
  return Object.fromEntries(Object.entries(created).map(([temporary, id]) => [temporary, String(id)]));
}

function lastSeq(rows: readonly FeedRow[]): number | null {
  return rows.length === 0 ? null : Math.max(...rows.map(({ seq }) => seq));
}

function isFieldError(value: unknown): value is { field: string; message: string } {
  const { field, message } = (value ?? {}) as { field?: unknown; message?: unknown };
  return typeof field === 'string' && typeof message === 'string';
}
