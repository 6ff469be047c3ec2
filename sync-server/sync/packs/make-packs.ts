import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import BetterSqlite3 from 'better-sqlite3';

import type { GuideFacts } from '#shared/model/guide.ts';
import { titleOf } from '#shared/sync/guide-titles.ts';
import { protocolRange } from '#shared/sync/protocol.ts';
import type { GuideTitle, SyncedCollection } from '#shared/sync/wire.ts';

import { lineText } from '../feed-line.ts';
import type { PackRow } from './live-packs.ts';

/** Which packs pay. Sizes are those of documents as JSON, bytes. */
export interface PackSizes {
  /** Documents that are less together stay loose. */
  least: number;
  /** A pack ends when it has this much. A change of one of its documents costs a pack, and so does a cut of its transfer. */
  most: number;
}

/** About 250 KB compressed. */
export const usualSizes: PackSizes = { least: 256 * 1024, most: 2 * 1024 * 1024 };

/** Work for `makePacks`. */
export interface PackWork {
  /** Path of the database. */
  database: string;
  /** Folder for the files, which are named by their hashes. */
  folder: string;
  sizes: PackSizes;
}

/**
 * The collections that are packed: those with many records that seldom change. A change ends the pack of a record.
 */
export const packedCollections: readonly SyncedCollection[] = [
  'guides',
  'wikis',
  'stepForms',
  'media',
  'releases',
  'releaseTexts',
  'workVersions',
];

/** Guides with prerequisites are left out: what they name depends on their reader (FEED-8, FEED-12). */
const sameForAll = `NOT (collection = 'guides' AND EXISTS (
  SELECT 1 FROM guide_prerequisites WHERE guideid = CAST(documents.id AS INTEGER)))`;

interface Document {
  seq: number;
  bytes: number;
}

type Range = Pick<PackRow, 'audience' | 'collection' | 'since' | 'until'>;

/** Makes the files of all packs that are missing and pay. Takes seconds for a large site, so it runs in a thread. */
export function makePacks({ database, folder, sizes }: PackWork): PackRow[] {
  const db = new BetterSqlite3(database, { readonly: true, fileMustExist: true });
  try {
    db.pragma('busy_timeout = 5000');
    return missingPacks(db, sizes).map((range) => makePack(db, folder, range));
  } finally {
    db.close();
  }
}

function missingPacks(db: BetterSqlite3.Database, sizes: PackSizes): Range[] {
  const groups = db
    .prepare<string[], Pick<Range, 'audience' | 'collection'>>(
      `SELECT DISTINCT audience, collection FROM documents
       WHERE collection IN (${packedCollections.map(() => '?').join()})`,
    )
    .all(...packedCollections);
  const documentsOf = db.prepare<[number, string], Document>(
    `SELECT seq, octet_length(body) AS bytes FROM documents
     WHERE audience = ? AND collection = ? AND ${sameForAll} ORDER BY seq`,
  );
  const packsOf = db.prepare<[number, string], Pick<Range, 'since' | 'until'>>(
    'SELECT since, until FROM packs WHERE audience = ? AND collection = ? ORDER BY since',
  );
  return groups.flatMap(({ audience, collection }) =>
    rangesIn(documentsOf.all(audience, collection), packsOf.all(audience, collection), sizes).map(
      (range) => ({
        audience,
        collection,
        ...range,
      }),
    ),
  );
}

/** Cuts the documents between the existing packs into new ones. Both lists are in order. */
export function rangesIn(
  documents: readonly Document[],
  packs: readonly Pick<Range, 'since' | 'until'>[],
  { least, most }: PackSizes,
): Pick<Range, 'since' | 'until'>[] {
  const made: (Pick<Range, 'since' | 'until'> & { bytes: number })[] = [];
  let at = 0;
  for (const { from, to } of [
    ...packs.map(({ since }, index) => ({ from: packs[index - 1]?.until ?? 0, to: since })),
    { from: packs.at(-1)?.until ?? 0, to: Number.POSITIVE_INFINITY },
  ]) {
    const first = made.length;
    let open = { since: from, until: from, bytes: 0 };
    const close = (): void => {
      const last = made.at(-1);
      if (open.bytes >= least) made.push(open);
      else if (made.length > first && last !== undefined) last.until = open.until;
      open = { since: open.until, until: open.until, bytes: 0 };
    };
    for (; at < documents.length; at += 1) {
      const { seq = 0, bytes = 0 } = documents[at] ?? {};
      if (seq <= from) continue;
      if (seq > to) break;
      open.until = seq;
      open.bytes += bytes;
      if (open.bytes >= most) close();
    }
    close();
  }
  return made.map(({ since, until }) => ({ since, until }));
}

function makePack(db: BetterSqlite3.Database, folder: string, range: Range): PackRow {
  const { audience, collection, since, until } = range;
  const rows = db
    .prepare<[number, string, number, number], { id: string; seq: number; body: string; uid: string }>(
      `SELECT id, seq, body, uid FROM documents WHERE audience = ? AND collection = ? AND seq > ? AND seq <= ?
       AND ${sameForAll} ORDER BY seq`,
    )
    .all(audience, collection, since, until);
  const c = collection as SyncedCollection;
  const documents = write(
    folder,
    rows.map((row) => lineText({ c, ...row }, protocolRange.newest)),
  );
  const titles =
    c === 'guides'
      ? write(
          folder,
          rows.map(({ id, seq, body }) => {
            const title: GuideTitle = { id, seq, ...titleOf(JSON.parse(body) as GuideFacts) };
            return JSON.stringify(title);
          }),
        )
      : null;
  return {
    ...range,
    records: rows.length,
    ...documents,
    titles_hash: titles?.hash ?? null,
    titles_bytes: titles?.bytes ?? null,
  };
}

/** Stores lines as a compressed file, durably, so that a stored hash never names an incomplete file. */
function write(folder: string, lines: readonly string[]): { hash: string; bytes: number } {
  const bytes = gzipSync(lines.map((line) => `${line}\n`).join(''), { level: 6 });
  const hash = createHash('sha256').update(bytes).digest('hex');
  const path = join(folder, hash);
  const file = openSync(`${path}.part`, 'w', 0o600);
  try {
    writeFileSync(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.part`, path);
  return { hash, bytes: bytes.length };
}
