import type { FeedRow } from '#shared/sync/wire.ts';

/** A feed row whose document is still the text that is stored: what goes out unchanged is not parsed on its way. */
export type FeedLine = Omit<FeedRow, 'doc'> & { body?: string };

/** The row as JSON, as the wire has it. */
export function lineText({ body, ...row }: FeedLine): string {
  const text = JSON.stringify(row);
  return body === undefined ? text : `${text.slice(0, -1)},"doc":${body}}`;
}

/** An object as JSON with its rows, as the wire has it. */
export function textWithRows(rest: object, rows: FeedLine[]): string {
  return `{"rows":[${rows.map(lineText).join(',')}],${JSON.stringify(rest).slice(1)}`;
}
