import type { Journal } from '../journal/journal.ts';
import { openHome } from './leaving/home-database.ts';
import type { ServerConnection } from '../sync/server-connection.ts';
import { OtherHistory, Unreachable } from '../sync/connection-errors.ts';
import { answerOf, learnHead } from '../sync/mirror/answer.ts';
import { readMark, type Mark } from '../sync/mirror/mark.ts';
import type { Platform } from '../journal/platform.ts';
import type { Home } from './home.ts';

/** The checkpoint of a home, and the history of the server that it belongs to. */
export type Standing = Pick<Mark, 'place' | 'history'>;

const beginning = '0.0';

/** The standing of a home; null if it was never complete. The home must not be open in this tab. */
export async function standingOf(
  { home }: Home,
  deps: { platform: Platform; journal: Journal },
): Promise<Standing | null> {
  const { database, leave } = await openHome({ ...deps, home });
  try {
    const mark = await readMark(database);
    return mark === null || mark.place === '' || mark.history === '' ? null : mark;
  } finally {
    await database.close();
    leave();
  }
}

/**
 * Compares a standing with the server of `connection`. `known`: it is the same server. `behind`: the history has the same
 * name, but ends earlier, as after a restored backup. `other`: another server.
 */
export async function compareHistory(
  connection: ServerConnection,
  standing: Standing,
): Promise<'known' | 'behind' | 'other'> {
  try {
    return (await historyAt(connection, standing.place)) === standing.history ? 'known' : 'other';
  } catch (error) {
    if (!(error instanceof OtherHistory)) throw error;
    return (await historyAt(connection, beginning)) === standing.history ? 'behind' : 'other';
  }
}

async function historyAt(connection: ServerConnection, place: string): Promise<string> {
  const path = `/sync/1/pull?since=${encodeURIComponent(place)}&limit=1`;
  const answering = await answerOf(connection, connection.request(path));
  for await (const line of connection.lines(answering)) {
    answering.abort();
    return learnHead(line, connection, answering).history;
  }
  throw new Unreachable('The answer broke off');
}
