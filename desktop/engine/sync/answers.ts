import { notFound, type Problem, type ProblemCode } from '#shared/api/problem.ts';
import type { BatchResult, FeedRow } from '#shared/sync/wire.ts';

import type { CallKind, OutboxCall } from '../platform/ports.ts';
import { createdBy } from './rows.ts';
import { bare } from './temporary-ids.ts';

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

/** The call once the server has it: what it made real, and the feed position of its effect (O11). */
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

/** The call parked with the server's words (O5). */
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

/** The server's own words name a temporary id, which tells a person nothing. */
function needsWhatIsGone({ kind }: OutboxCall): string {
  switch (kind) {
    case 'guide-create':
    case 'guide-save':
    case 'wiki-create':
    case 'wiki-save':
    case 'profile-save':
      return 'A picture or document in this is not on the server. Open it, add the file again and save: the rest of your change is kept.';
    case 'entry-data':
      return 'A photo or document in this work order is not on the server. Record it again: the other values are kept.';
    default:
      return 'Something that this belongs to is not on the server. Send it again once that is there, or discard it.';
  }
}

/** What a refusal says of a tag, or a membership, that is not there. */
const absent: Partial<Record<CallKind, readonly Problem[]>> = {
  'guide-tag': [notFound('Tag')],
  'wiki-tag': [notFound('Tag')],
  membership: [notFound('Member'), notFound('Team')],
};

/** Whether a refusal says that nothing is left to do: what is to go is gone (O16, O20). */
export function isDoneAlready(
  { kind, method }: OutboxCall,
  { status, body }: Pick<Answer, 'status' | 'body'>,
): boolean {
  const isGone = (absent[kind] ?? []).some((problem) => saysSo(body, problem));
  return method === 'DELETE' && status === 404 && isGone;
}

/** Whether a body is this refusal: by its code; servers of protocol 5 have only their words. */
function saysSo(body: unknown, problem: Problem): boolean {
  const { code, message } = (body ?? {}) as { code?: unknown; message?: unknown };
  return code === undefined ? message === problem.message : code === problem.code;
}

/** No server makes a device wait longer, ms. */
export const longestWait = 15 * 60_000;

/** Milliseconds of a `Retry-After` header (seconds or a date), at most 15 minutes; null without one. */
export function retryAfter(headers: Record<string, string>, now: number): number | null {
  const text = headers['retry-after'] ?? headers['Retry-After'];
  if (text === undefined) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? null : Math.min(longestWait, Math.max(0, ms));
}

/** Backoff with jitter: half of it is fixed, so that nobody returns at once. */
export function backoff(tries: number, random: number): number {
  const whole = Math.min(30_000, 1000 * 2 ** Math.min(tries, 10));
  return Math.round(whole / 2 + (whole / 2) * random);
}

/** Only what this call creates: rows may hold steps that somebody else made. */
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
