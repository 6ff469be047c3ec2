import { sql } from 'kysely';
import { z } from 'zod';

import { fieldExtensions } from '#shared/model/step-form.ts';
import { tolerantProtocol } from '#shared/sync/protocol.ts';
import {
  collectionNames,
  collectionsOfFive,
  syncedCollections,
  type FeedRow,
  type SyncedCollection,
} from '#shared/sync/wire.ts';

/**
 * A feed row with its document as stored text (`body`), so that unchanged documents are sent without parsing. `uid`
 * becomes a property of the document.
 */
export type FeedLine = Omit<FeedRow, 'doc'> & { body?: string; uid?: string };

/** The extensions of fields in a form (FIELD-1). */
const formFields = Object.keys(fieldExtensions).map((name) => `fields.items.${name}`);

/**
 * The fields that documents gained after protocol 5, whose devices refuse them (PROTOCOL-5). A test compares this list
 * with the schemas. A field is a path in the document, with `items` for the elements of a list. `uid` is in the line, the
 * others are in the document.
 */
export const newFields: Partial<Record<SyncedCollection, readonly string[]>> = {
  guides: [
    'uid',
    'revision',
    'prerequisite_releases.items.released.guide.revision',
    ...formFields.map((field) => `prerequisite_releases.items.released.forms.items.${field}`),
  ],
  comments: ['uid', 'stationid', 'feedback'],
  stepForms: formFields,
  workLog: [
    'uid',
    'teamids',
    'planned_orderid',
    'serials',
    'release',
    'revisions',
    'record',
    'confirmations',
    'signatures',
    ...['limits', 'unit', 'computed', 'failed', 'reason', 'more_photos', 'second_person'].map(
      (name) => `events.items.data.items.${name}`,
    ),
    'events.items.gaps',
    'events.items.note',
    'events.items.stationid',
  ],
  wikis: ['uid'],
};

/**
 * The collections that were added after protocol 5. A device of protocol 5 refuses the whole answer if a row names one
 * of them (PROTOCOL-5).
 */
export const newCollections: ReadonlySet<SyncedCollection> = new Set(
  collectionNames.filter((name) => !collectionsOfFive.includes(name)),
);

/** Those of the wanted collections that devices of the protocol know. null: all. */
export function collectionsFor(
  protocol: number,
  wanted: ReadonlySet<SyncedCollection> | null,
): ReadonlySet<SyncedCollection> | null {
  if (protocol >= tolerantProtocol || newCollections.size === 0) return wanted;
  return new Set([...(wanted ?? collectionNames)].filter((name) => !newCollections.has(name)));
}

/** Collections whose documents contain `uid` (FEED-16). */
const identified: ReadonlySet<string> = new Set(
  Object.entries(syncedCollections).flatMap(([name, schema]) => (hasUid(schema) ? [name] : [])),
);

/** Whether a document, or one of its forms, has the property. */
function hasUid(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodUnion) return schema.options.some(hasUid);
  return schema instanceof z.ZodObject && 'uid' in schema.shape;
}

/** The JSON of the document as it is sent; undefined for a row without one. */
export function documentText({ c, body, uid = '' }: FeedLine, protocol: number): string | undefined {
  if (body === undefined) return undefined;
  if (protocol < tolerantProtocol) return withoutFields(body, newFields[c] ?? []);
  return uid !== '' && identified.has(c) ? `{"uid":${JSON.stringify(uid)},${body.slice(1)}` : body;
}

/** The JSON of the document without these fields. A text that names none of them is not parsed. */
function withoutFields(body: string, fields: readonly string[]): string {
  const named = fields.map((field) => field.split('.')).filter((path) => body.includes(`"${path.at(-1)}":`));
  if (named.length === 0) return body;
  const document: unknown = JSON.parse(body);
  for (const path of named) removeAt(document, path);
  return JSON.stringify(document);
}

/** Removes what is at a path, as in `newFields`. */
function removeAt(value: unknown, [name = '', ...rest]: readonly string[]): void {
  if (Array.isArray(value)) for (const item of value) removeAt(item, rest);
  else if (typeof value === 'object' && value !== null) {
    if (rest.length === 0) Reflect.deleteProperty(value, name);
    else removeAt(Reflect.get(value, name), rest);
  }
}

/** The JSON of a row as it is sent. */
export function lineText(line: FeedLine, protocol: number): string {
  const { body: _body, uid: _uid, ...row } = line;
  const text = JSON.stringify(row);
  const doc = documentText(line, protocol);
  return doc === undefined ? text : `${text.slice(0, -1)},"doc":${doc}}`;
}

/** The JSON of an object with those of its rows that devices of the protocol know. */
export function textWithRows(rest: object, rows: FeedLine[], protocol: number): string {
  const known = collectionsFor(protocol, null);
  const lines = rows.filter(({ c }) => known?.has(c) !== false).map((row) => lineText(row, protocol));
  return textWithLines(rest, lines);
}

/** The JSON of an object with rows, which are JSON already. */
export function textWithLines(rest: object, lines: readonly string[]): string {
  return `{"rows":[${lines.join(',')}],${JSON.stringify(rest).slice(1)}`;
}

/** Maximum size of the documents of a page, bytes, unless the first one alone is larger (FEED-20). */
const pageBytes = 1_000_000;

/** SQL for the size of a document in bytes, which SQLite computes without reading the document. */
export const bodySize = sql<number | null>`octet_length(documents.body)`.as('bytes');

/** How many of these rows fit into a page; at least one. */
export function fitting(rows: readonly { bytes: number | null }[]): number {
  let bytes = 0;
  const over = rows.findIndex((row) => (bytes += row.bytes ?? 0) > pageBytes);
  return Math.max(1, over === -1 ? rows.length : over);
}
