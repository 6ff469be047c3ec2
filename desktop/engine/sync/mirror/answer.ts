import { readHead } from '#shared/sync/reading.ts';
import type { FeedHead } from '#shared/sync/wire.ts';

import type { ServerConnection } from '../server-connection.ts';
import type { Answering } from '../answering.ts';
import { Unreachable } from '../connection-errors.ts';

/** The token is no longer good. */
export class SignInNeeded extends Error {
  override name = 'SignInNeeded';
  readonly token: string | null;

  constructor(token: string | null) {
    super('The sign-in is no longer good');
    this.token = token;
  }
}

/** The server does not know the place in its history where this device stands. */
export class OtherHistory extends Error {
  override name = 'OtherHistory';
}

/** The server itself refused; the request may be tried again. */
export class NotNow extends Unreachable {
  override name = 'NotNow';
  readonly status: number;
  /** What the server asked to wait, ms; null: nothing. */
  readonly wait: number | null;

  constructor(status: number, wait: number | null) {
    super(`The server answered ${status}`);
    this.status = status;
    this.wait = wait;
  }
}

/**
 * Waits for an answer of the sync endpoints. Anything but success is one of four errors: `SignInNeeded`,
 * `OtherHistory` and `NotNow` where the server says so, `ForeignAnswer` where anybody else does.
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
 * The lines of an answer after its head, as they arrive; `learnt` is told what the head says first. An answer that ends
 * before it should is `connection.foreign(answering)`.
 */
export async function* linesAfterHead(
  connection: ServerConnection,
  answering: Answering,
  learnt: (head: FeedHead) => void = () => undefined,
): AsyncGenerator<string> {
  let isHead = true;
  for await (const line of connection.lines(answering)) {
    if (line === '') continue;
    answering.lastLine = line;
    if (isHead) learnt(learnHead(line, connection, answering));
    else yield line;
    isHead = false;
  }
}

/**
 * Reads the first line of an answer: from it the device learns the server's clock and the protocol that is spoken,
 * and that it is the server that it expects.
 * @throws ForeignAnswer when the line is no head of the server, or answers another request
 * @throws OtherServerAnswered when it is the head of another one
 */
export function learnHead(text: string, connection: ServerConnection, answering: Answering): FeedHead {
  // Servers of before do not repeat the request.
  const head = connection.parsed(
    answering,
    readHead.refine(({ request = answering.name }) => request === answering.name),
    text,
  );
  connection.learnServer(head.server);
  connection.learnProtocol(head.protocol);
  connection.learnNow(head.now, answering);
  return head;
}
