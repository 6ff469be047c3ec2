import { readHead } from '#shared/sync/reading.ts';
import type { FeedHead } from '#shared/sync/wire.ts';

import type { ServerConnection } from '../server-connection.ts';
import type { Answering } from '../answering.ts';
import { NotNow, OtherHistory, SignInNeeded } from '../connection-errors.ts';

/**
 * Waits for a successful answer of a sync endpoint.
 * @throws SignInNeeded, OtherHistory, NotNow when the server refuses
 * @throws ForeignAnswer when the answer is not from the server
 */
export async function answerOf(
  connection: ServerConnection,
  request: Promise<Answering>,
): Promise<Answering> {
  const { token } = connection;
  const answering = await request;
  const { status, ok } = answering.response;
  if (ok) return answering;
  await connection.refusal(answering);
  if (status === 401) throw new SignInNeeded(token);
  if (status === 410) throw new OtherHistory('The server has another history');
  throw new NotNow(status, connection.waitIn(answering));
}

/**
 * The lines of an answer after its head, as they arrive. `onHead` is called with the head first. The caller must treat an
 * answer that ends too early as foreign (`connection.foreign(answering)`).
 */
export async function* linesAfterHead(
  connection: ServerConnection,
  answering: Answering,
  onHead: (head: FeedHead) => void = () => undefined,
): AsyncGenerator<string> {
  let isHead = true;
  for await (const line of connection.lines(answering)) {
    if (line === '') continue;
    answering.lastLine = line;
    if (isHead) onHead(learnHead(line, connection, answering));
    else yield line;
    isHead = false;
  }
}

/**
 * Reads the first line of an answer, which gives the server's id, its clock and the protocol.
 * @throws ForeignAnswer when the line is not a head, or answers another request
 * @throws OtherServerAnswered when another server answered
 */
export function learnHead(text: string, connection: ServerConnection, answering: Answering): FeedHead {
  const isAnswer = ({ request }: FeedHead): boolean => connection.isAnswer(answering, request);
  const head = connection.parsed(answering, readHead.refine(isAnswer), text);
  connection.learnServer(head.server);
  connection.learnProtocol(head.protocol);
  connection.learnNow(head.now, answering);
  return head;
}
