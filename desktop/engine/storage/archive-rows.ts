import {
  createRxDatabase,
  removeRxDatabase,
  type RxCollection,
  type RxDocument,
  type RxJsonSchema,
  type RxStorage,
} from 'rxdb';
import { map, type Observable } from 'rxjs';

import type { GuideFacts } from '#shared/model/guide.ts';
import type {
  ArchivedCategory,
  ArchivedGuide,
  ArchiveVersion,
  Finding,
} from '#shared/formats/omanual/archive.ts';

import { withDeferredRegistration } from './deferred-registration.ts';
import type { ArchiveRecord } from './archive-record.ts';

/** What the index of an archive holds beside its guides. */
export interface ArchiveIndex {
  version: ArchiveVersion;
  producer: 'benchbook' | 'ifixit' | 'dita' | 'unknown';
  base: string;
  title: string;
  guides: number;
  categories: ArchivedCategory[];
  findings: Finding[];
  /** Whether some of its pictures, videos or pages are only links. Absent in archives that were read earlier. */
  linked?: boolean;
}

/** An archive in the index: the journal's record and the index of the file. */
export interface IndexedArchive {
  record: ArchiveRecord;
  /** Null while the file is being read. */
  index: ArchiveIndex | null;
  /** Why the file cannot be shown, as text for the user. */
  problem: string | null;
  /** All its guides are in the index. */
  isRead: boolean;
}

/** A guide and its position in the archive. */
export interface IndexedGuide {
  place: number;
  guide: ArchivedGuide;
}

/** The part of a guide that lists, links and the library need; the guide itself is read when it is opened. */
export interface GuideBrief extends Pick<
  GuideFacts,
  'guideid' | 'title' | 'category' | 'type' | 'summary' | 'difficulty' | 'time_required_max' | 'modified_date'
> {
  place: number;
  foreignId: number | null;
  steps: number;
  /** GUID of its picture; '' without one. */
  imageGuid: string;
}

interface ArchiveRow {
  id: string;
  archiveid: string;
  kind: 'archive' | 'brief' | 'guide';
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
  // The briefs of an archive are found without reading its guides.
  indexes: ['kind', ['archiveid', 'kind']],
};

/** Part of the database's name. After a change, the index is built again from journal and files (archives README, ARCHIVE-4). */
const indexVersion = 2;

/** Number of rows removed at a time, because the guides of a large archive take much memory. */
const batchRows = 200;

function databaseName(version: number): string {
  return `benchbook-archives-v${version}`;
}

/** The index of the opened archives (local collection `archives`), so that lists and search need not read the files. */
export class ArchiveRows {
  readonly #rows: RxCollection<ArchiveRow>;
  readonly #close: () => Promise<unknown>;
  readonly #briefs = new WeakMap<RxDocument<ArchiveRow>, GuideBrief>();

  private constructor(rows: RxCollection<ArchiveRow>, close: () => Promise<unknown>) {
    this.#rows = rows;
    this.#close = close;
  }

  static async open(storage: RxStorage<unknown, unknown>, multiInstance: boolean): Promise<ArchiveRows> {
    for (let version = 1; version < indexVersion; version += 1)
      await removeRxDatabase(databaseName(version), storage, multiInstance);
    const database = await createRxDatabase<{ archives: RxCollection<ArchiveRow> }>({
      name: databaseName(indexVersion),
      storage: withDeferredRegistration(storage),
      multiInstance,
      eventReduce: true,
    });
    try {
      await database.addCollections({ archives: { schema } });
    } catch (error) {
      // RxDB does not open a database twice: the next attempt needs it closed.
      await database.close().catch(() => undefined);
      throw error;
    }
    return new ArchiveRows(database.archives, () => database.close());
  }

  /** Emits all archives now and after each change in any tab. */
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

  /** A guide; null while it is not read yet, and after it was removed. */
  async guide(archiveid: string, place: number): Promise<ArchivedGuide | null> {
    const row = await this.#rows.findOne(guideRowId(archiveid, place)).exec();
    return row === null ? null : (JSON.parse(row.body) as ArchivedGuide);
  }

  /** Emits what `guide` returns, now and after each change. */
  guideAt(archiveid: string, place: number): Observable<ArchivedGuide | null> {
    return this.#rows
      .findOne(guideRowId(archiveid, place))
      .$.pipe(map((row) => (row === null ? null : (JSON.parse(row.body) as ArchivedGuide))));
  }

  /** Emits the briefs in the order of the archive, now and whenever more were read. */
  briefs(archiveid: string): Observable<GuideBrief[]> {
    return this.#rows
      .find({ selector: { archiveid, kind: 'brief' } })
      .$.pipe(map((rows) => rows.map((row) => this.#parsed(row)).toSorted((a, b) => a.place - b.place)));
  }

  /** Parses each row once: RxDB returns the same object until the row changes. */
  #parsed(row: RxDocument<ArchiveRow>): GuideBrief {
    const known = this.#briefs.get(row);
    if (known !== undefined) return known;
    const parsed = JSON.parse(row.body) as GuideBrief;
    this.#briefs.set(row, parsed);
    return parsed;
  }

  async putGuides(archiveid: string, guides: readonly IndexedGuide[]): Promise<void> {
    await this.#rows.bulkUpsert(
      guides.flatMap((one): ArchiveRow[] => {
        const id = guideRowId(archiveid, one.place);
        return [
          { id, archiveid, kind: 'guide', body: JSON.stringify(one.guide) },
          { id: `${id}:brief`, archiveid, kind: 'brief', body: JSON.stringify(briefOf(one)) },
        ];
      }),
    );
  }

  /** Removes an archive from the index. */
  async remove(archiveid: string): Promise<void> {
    const some = this.#rows.find({ selector: { archiveid }, limit: batchRows });
    while ((await some.remove()).length > 0);
    await this.#rows.cleanup(0);
  }

  async close(): Promise<void> {
    await this.#close();
  }
}

function briefOf({ place, guide: { facts, foreignId } }: IndexedGuide): GuideBrief {
  const { guideid, title, category, type, summary, difficulty, time_required_max, modified_date } = facts;
  return {
    place,
    guideid,
    foreignId,
    title,
    category,
    type,
    summary,
    difficulty,
    time_required_max,
    modified_date,
    steps: facts.steps.length,
    imageGuid: facts.image?.guid ?? '',
  };
}

function guideRowId(archiveid: string, place: number): string {
  return `${archiveid}:${place}`;
}
