import { type AnswersRequest, type BatchResult, mostKeys } from '#shared/sync/wire.ts';
import { readAnswer } from '#shared/sync/reading.ts';

import type { ServerConnection } from '../sync/server-connection.ts';
import { OtherHistory, Unreachable } from '../sync/connection-errors.ts';
import { linesAfterHead } from '../sync/mirror/answer.ts';
import type { OutboxCall } from '../platform/ports.ts';
import type { Answer } from './answers.ts';
import { answerFrom } from './api-answer.ts';

export interface AnswersOfKeys<Call> {
  /** The calls that were asked for. */
  asked: Call[];
  /** Results of the calls that the server knows, by key. */
  answers: Map<string, BatchResult>;
  /** The refusal of the request; older servers have no such endpoint and answer 404. */
  refusal: Answer | null;
}

/**
 * Asks the server for the results of calls whose answers never arrived, by their keys (OUTBOX-23).
 * @throws Unreachable when there is no answer of the server
 */
export async function askAnswers<Call extends Pick<OutboxCall, 'id'>>(
  connection: ServerConnection,
  calls: readonly Call[],
): Promise<AnswersOfKeys<Call>> {
  const asked = calls.slice(0, mostKeys);
  const body = JSON.stringify({ keys: asked.map(({ id }) => id) } satisfies AnswersRequest);
  const headers = { 'Content-Type': 'application/json' };
  const answering = await connection.request('/sync/1/answers', { method: 'POST', body, headers });
  const answers = new Map<string, BatchResult>();
  if (!answering.response.ok) {
    const refusal = answerFrom(answering.response, await connection.refusal(answering));
    return { asked: [...calls], answers, refusal };
  }
  let lines = 0;
  for await (const line of linesAfterHead(connection, answering)) {
    const result = connection.parsed(answering, readAnswer, line);
    lines += 1;
    if ('unknown' in result) continue;
    connection.learnPlace(result.place);
    answers.set(result.id, result);
  }
  if (lines < asked.length) throw connection.foreign(answering);
  return { asked, answers, refusal: null };
}

/**
 * Those of these keys that the server knows. An older server cannot tell, and knows none.
 * @throws Unreachable when there is no answer of the server
 * @throws OtherHistory when it was restored again
 */
export async function keysKnown(
  connection: ServerConnection,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (let at = 0; at < keys.length; at += mostKeys) {
    const some = keys.slice(at, at + mostKeys).map((id) => ({ id }));
    const { answers, refusal } = await askAnswers(connection, some);
    if (refusal?.status === 410) throw new OtherHistory('The server was restored again');
    if (refusal !== null && refusal.status !== 404)
      throw new Unreachable('The server does not say what it knows');
    for (const id of answers.keys()) known.add(id);
  }
  return known;
}

/**
 * Whether the server of the home refuses the token of `connection`. No cache can answer this request.
 * @throws Unreachable when that server does not answer
 */
export async function refusesSignIn(connection: ServerConnection): Promise<boolean> {
  const { refusal } = await askAnswers(connection, []);
  // Older servers have no such endpoint; their refusals count.
  return refusal?.status === 401 || refusal?.status === 404;
}

/** Like `refusesSignIn`, but false while the server cannot be reached. */
export async function isSignInRefused(connection: ServerConnection): Promise<boolean> {
  try {
    return await refusesSignIn(connection);
  } catch (error) {
    if (error instanceof Unreachable) return false;
    throw error;
  }
}
