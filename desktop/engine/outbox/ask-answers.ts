import { type AnswersRequest, type BatchResult, mostKeys } from '#shared/sync/wire.ts';
import { readAnswer } from '#shared/sync/reading.ts';

import { Unreachable, type ServerConnection } from '../sync/server-connection.ts';
import { linesAfterHead } from '../sync/mirror/answer.ts';
import type { OutboxCall } from '../platform/ports.ts';
import type { Answer } from './answers.ts';
import { answerFrom } from './api-answer.ts';

export interface AnswersOfKeys<Call> {
  /** The calls that were asked for. */
  asked: Call[];
  /** What the server did for them, by key; of the others it knows nothing. */
  answers: Map<string, BatchResult>;
  /** The server refused the question; servers of before have no such endpoint and refuse it with 404. */
  refusal: Answer | null;
}

/**
 * Asks the server what it did under the keys of calls whose answers never came.
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
 * Of these keys those under which the server did something. A server of before cannot tell, and knows none.
 * @throws Unreachable when there is no answer of the server
 */
export async function keysKnown(
  connection: ServerConnection,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (let at = 0; at < keys.length; at += mostKeys) {
    const some = keys.slice(at, at + mostKeys).map((id) => ({ id }));
    const { answers, refusal } = await askAnswers(connection, some);
    if (refusal !== null && refusal.status !== 404)
      throw new Unreachable('The server does not say what it knows');
    for (const id of answers.keys()) known.add(id);
  }
  return known;
}

/**
 * Whether the server of the home refuses the token of `connection`, asked in a way that no cache can answer.
 * @throws Unreachable when that server does not answer
 */
export async function refusesSignIn(connection: ServerConnection): Promise<boolean> {
  const { refusal } = await askAnswers(connection, []);
  // Older servers have no such endpoint, and are trusted.
  return refusal?.status === 401 || refusal?.status === 404;
}

/** The same; false while the server is not reached. */
export async function isSignInRefused(connection: ServerConnection): Promise<boolean> {
  try {
    return await refusesSignIn(connection);
  } catch (error) {
    if (error instanceof Unreachable) return false;
    throw error;
  }
}
