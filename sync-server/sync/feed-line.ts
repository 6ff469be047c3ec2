import { tolerantProtocol } from '#shared/sync/protocol.ts';
import type { FeedRow, SyncedCollection } from '#shared/sync/wire.ts';

/**
 * A feed row whose document is still the text that is stored: what goes out unchanged is not parsed on its way. `uid`
 * becomes a property of the document.
 */
export type FeedLine = Omit<FeedRow, 'doc'> & { body?: string; uid?: string };

/** Collections whose documents say which record they are (F16). */
const identified: ReadonlySet<SyncedCollection> = new Set(['guides', 'comments', 'workLog', 'wikis']);

/** The row as JSON, as the wire has it. */
export function lineText({ body, uid = '', ...row }: FeedLine, protocol: number): string {
  const text = JSON.stringify(row);
  if (body === undefined) return text;
  const isNamed = protocol >= tolerantProtocol && uid !== '' && identified.has(row.c);
  const doc = isNamed ? `{"uid":${JSON.stringify(uid)},${body.slice(1)}` : body;
  return `${text.slice(0, -1)},"doc":${doc}}`;
}

/** An object as JSON with its rows, as the wire has it. */
export function textWithRows(rest: object, rows: FeedLine[], protocol: number): string {
  const lines = rows.map((row) => lineText(row, protocol));
  return `{"rows":[${lines.join(',')}],${JSON.stringify(rest).slice(1)}`;
}
