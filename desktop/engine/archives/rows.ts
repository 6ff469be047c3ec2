import {
  createRxDatabase,
  type RxCollection,
  type RxDocument,
  type RxJsonSchema,
  type RxStorage,
} from 'rxdb';
import { map, type Observable } from 'rxjs';

import type { ArchivedCategory, ArchivedGuide, ArchiveVersion, Finding } from '#shared/omanual/archive.ts';

import type { ArchiveRecord } from './record.ts';

/** What reading an archive told. */
export interface ArchiveIndex {
  version: ArchiveVersion;
  producer: 'benchbook' | 'ifixit' | 'dita' | 'unknown';
  base: string;
  title: string;
  guides: number;
  categories: ArchivedCategory[];
  findings: Finding[];
}

/** An archive in the index: the journal's record, and what the file told; null while it is being read. */
export interface IndexedArchive {
  record: ArchiveRecord;
  index: ArchiveIndex | null;
  /** Why the file cannot be shown, in plain words. */
  problem: string | null;
  /** Every guide of it stands in the index. */
  isRead: boolean;
}

export interface IndexedGuide {
  place: number;
  guide: ArchivedGuide;
}

interface ArchiveRow {
  id: string;
  archiveid: string;
  kind: 'archive' | 'guide';
  body: string;
}

const schema: RxJsonSchema<ArchiveRow> = {
  version: 0,
  primaryKey: 'id',
  type: 'object',
  properties: {
    id: { type: 'string', maxLength: 120 },
    archiveid: { type: 'string', maxLength: 80 },
    kind: { type: 'string', maxLength: 10 },
    body: { type: 'string' },
  },
  required: ['id', 'archiveid', 'kind', 'body'],
  indexes: ['archiveid', 'kind'],
};

/** Another number begins another database: the journal and the files tell everything again (README, A4). */
const indexVersion = 1;

/** The local collection `archives`: what the opened archives hold, so that lists and search need not read the files. */
export class ArchiveRows {
  readonly #rows: RxCollection<ArchiveRow>;
  readonly #close: () => Promise<unknown>;
  readonly #guides = new WeakMap<RxDocument<ArchiveRow>, IndexedGuide>();

  private constructor(rows: RxCollection<ArchiveRow>, close: () => Promise<unknown>) {
    this.#rows = rows;
    this.#close = close;
  }

  static async open(storage: RxStorage<unknown, unknown>, multiInstance: boolean): Promise<ArchiveRows> {
    const database = await createRxDatabase<{ archives: RxCollection<ArchiveRow> }>({
      name: `benchbook-archives-v${indexVersion}`,
      storage,
      multiInstance,
      eventReduce: true,
    });
    await database.addCollections({ archives: { schema } });
    return new ArchiveRows(database.archives, () => database.close());
  }

  /** Emits the present archives first, then after each change, of any tab. */
  get archives(): Observable<IndexedArchive[]> {
    return this.#rows
      .find({ selector: { kind: 'archive' } })
      .$.pipe(map((rows) => rows.map(({ body }) => JSON.parse(body) as IndexedArchive)));
  }

  async all(): Promise<IndexedArchive[]> {
    const rows = await this.#rows.find({ selector: { kind: 'archive' } }).exec();
    return rows.map(({ body }) => JSON.parse(body) as IndexedArchive);
  }

  async get(archiveid: string): Promise<IndexedArchive | null> {
    const row = await this.#rows.findOne(archiveid).exec();
    return row === null ? null : (JSON.parse(row.body) as IndexedArchive);
  }

  async put(archive: IndexedArchive): Promise<void> {
    const { archiveid } = archive.record;
    await this.#rows.upsert({ id: archiveid, archiveid, kind: 'archive', body: JSON.stringify(archive) });
  }

  async guide(archiveid: string, place: number): Promise<ArchivedGuide | null> {
    const row = await this.#rows.findOne(guideRowId(archiveid, place)).exec();
    return row === null ? null : (JSON.parse(row.body) as ArchivedGuide);
  }

  /** In the order of the archive's index; emits the present ones first, then whenever more are read. */
  guides(archiveid: string): Observable<IndexedGuide[]> {
    return this.#rows
      .find({ selector: { archiveid, kind: 'guide' } })
      .$.pipe(map((rows) => rows.map((row) => this.#parsed(row)).toSorted((a, b) => a.place - b.place)));
  }

  /** Each row is parsed once: the store gives the same object until it changes. */
  #parsed(row: RxDocument<ArchiveRow>): IndexedGuide {
    const known = this.#guides.get(row);
    if (known !== undefined) return known;
    const place = Number(row.id.slice(row.archiveid.length + 1));
    const parsed = { place, guide: JSON.parse(row.body) as ArchivedGuide };
    this.#guides.set(row, parsed);
    return parsed;
  }

  async putGuides(archiveid: string, guides: readonly IndexedGuide[]): Promise<void> {
    await this.#rows.bulkUpsert(
      guides.map(({ place, guide }) => ({
        id: guideRowId(archiveid, place),
        archiveid,
        kind: 'guide' as const,
        body: JSON.stringify(guide),
      })),
    );
  }

  /** Forgets everything of an archive. */
  async remove(archiveid: string): Promise<void> {
    await this.#rows.find({ selector: { archiveid } }).remove();
    await this.#rows.cleanup(0);
  }

  async close(): Promise<void> {
    await this.#close();
  }
}

function guideRowId(archiveid: string, place: number): string {
  return `${archiveid}:${place}`;
}
