import { tolerantProtocol } from '#shared/sync/protocol.ts';
import type { FeedRow, SyncedCollection } from '#shared/sync/wire.ts';

/**
 * A feed row whose document is still the text that is stored: what goes out unchanged is not parsed on its way. `uid`
 * becomes a property of the document.
 */
export type FeedLine = Omit<FeedRow, 'doc'> & { body?: string; uid?: string };

/** Collections whose documents say which record they are (FEED-16). */
const identified: ReadonlySet<SyncedCollection> = new Set(['guides', 'comments', 'workLog', 'wikis']);

/** The document as the wire has it; undefined for a row without one. */
export function documentText({ c, body, uid = '' }: FeedLine, protocol: number): string | undefined {
  const isNamed = protocol >= tolerantProtocol && uid !== '' && identified.has(c);
  return body !== undefined && isNamed ? `{"uid":${JSON.stringify(uid)},${body.slice(1)}` : body;
}

/** The row as JSON, as the wire has it. */
export function lineText(line: FeedLine, protocol: number): string {
  const { body: _body, uid: _uid, ...row } = line;
  const text = JSON.stringify(row);
  const doc = documentText(line, protocol);
  return doc === undefined ? text : `${text.slice(0, -1)},"doc":${doc}}`;
}

/** An object as JSON with its rows, as the wire has it. */
export function textWithRows(rest: object, rows: FeedLine[], protocol: number): string {
  const lines = rows.map((row) => lineText(row, protocol));
  return `{"rows":[${lines.join(',')}],${JSON.stringify(rest).slice(1)}`;
}
