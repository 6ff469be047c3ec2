import { readRowsEvent } from '#shared/sync/reading.ts';
import type { FeedHead, RowsEvent } from '#shared/sync/wire.ts';

import type { ServerConnection } from '../server-connection.ts';
import { answerOf, learnHead } from './answer.ts';

export interface EventsListener {
  /** Called when the stream is open. */
  opened(head: FeedHead): void;
  /** Called with rows in feed order; the next ones wait until the promise resolves. */
  rows(event: RowsEvent): Promise<void>;
  /** Called when a comment shows that the connection works. */
  beat(): void;
}

/** A stream without data for this time is dead: the server sends a comment every 20 s, ms. */
const silence = 45_000;
/** An answer whose head does not come within so many characters is not a stream of the server. */
const longestPreface = 64 * 1024;

/**
 * Follows `/sync/1/events` from the checkpoint `since` until the stream ends. Reads it with fetch, not `EventSource`, since
 * the token is sent in a header.
 * @throws ForeignAnswer when the answer is not from the server
 */
export async function followEvents(
  connection: ServerConnection,
  since: string,
  listener: EventsListener,
  signal: AbortSignal,
): Promise<void> {
  const answering = await answerOf(
    connection,
    connection.request(`/sync/1/events?since=${encodeURIComponent(since)}`, { signal }),
  );
  let said = '';
  let event = '';
  let data = '';
  for await (const line of connection.lines(answering, silence)) {
    if (!answering.isOurs) said += `${line}\n`;
    if (said.length > longestPreface) break;
    if (line.startsWith('event:')) event = line.slice(6).trim();
    else if (line.startsWith('data:')) data += line.slice(5);
    else if (line.startsWith(':')) {
      if (answering.isOurs) listener.beat();
    }
    if (line.trim() === '' && data !== '') {
      if (event === 'head') listener.opened(learnHead(data, connection, answering));
      else if (event === 'rows') await listener.rows(connection.parsed(answering, readRowsEvent, data));
      event = '';
      data = '';
    }
  }
  if (!answering.isOurs) throw connection.foreign(answering, said);
}
