import { readRowsEvent } from '#shared/sync/reading.ts';
import type { FeedHead, RowsEvent } from '#shared/sync/wire.ts';

import type { ServerConnection } from '../server-connection.ts';
import { answerOf, learnHead } from './answer.ts';

export interface EventsListener {
  /** The stream is open. */
  opened(head: FeedHead): void;
  /** Rows in the order of the feed; the next ones wait until they are stored. */
  rows(event: RowsEvent): Promise<void>;
  /** The server is still there. */
  beat(): void;
}

// The server sends a comment every 20 s: after two and a bit without one, nobody is there.
const silence = 45_000;
/** What does not begin with the head within so many characters is no stream of the server. */
const longestPreface = 64 * 1024;

/** Follows `/sync/1/events` from `since` until the stream ends; read with fetch, because the token belongs in a header. */
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
