import type { Selectable } from 'kysely';

import type { Viewer } from '#server/core/viewer.ts';
import { membersOf, type Principal } from '#server/storage/audiences.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

/** The principals of a person between two changes of their access. */
interface Span {
  /** Seq of the change that began it; 0: the beginning of the feed. */
  from: number;
  /** Seq of the change that ended it; infinity: it is current. */
  until: number;
  principals: readonly Principal[];
}

/**
 * The history of a person's access. It decides which removals the feed reports: a record that the person could see is
 * reported as removed, whether their access or the record's audience changed first, and wherever a page ended
 * (FEED-2). A person who gained access later gets neither change (FEED-1).
 */
export class AccessPast {
  readonly #db: Db;
  readonly #spans: readonly Span[];
  readonly #members = new Map<number, ReadonlySet<string>>();

  private constructor(db: Db, spans: readonly Span[]) {
    this.#db = db;
    this.#spans = spans;
  }

  static async of(db: Db, { userid, principals }: Viewer): Promise<AccessPast> {
    const changes = await accessChanges(db, { id: String(userid) });
    const spans = changes.map(({ seq, detail }, index): Span => {
      const { before } = JSON.parse(detail ?? '{"before":[]}') as { before: Principal[] };
      return { from: changes[index - 1]?.seq ?? 0, until: seq, principals: before };
    });
    return new AccessPast(db, [
      ...spans,
      { from: changes.at(-1)?.seq ?? 0, until: Number.POSITIVE_INFINITY, principals },
    ]);
  }

  /** The person's principals before the access change at `seq`. */
  before(seq: number): readonly Principal[] {
    return this.#spans.find(({ until }) => until === seq)?.principals ?? [];
  }

  /** Whether the person could see the record at any time while it had the audience before this feed row. */
  async couldSee(
    row: Omit<Selectable<Tables['feed']>, 'nonce' | 'key' | 'userid' | 'detail'>,
  ): Promise<boolean> {
    if (row.audience_before === 0 || row.audience_before === row.audience_after) return false;
    const seeing = await this.#seeing(row.audience_before);
    if (seeing.length === 0 || seeing.length === this.#spans.length) return seeing.length > 0;
    const [earlier] = await moveBefore(this.#db, row);
    const since = earlier?.seq ?? 0;
    return seeing.some(({ from, until }) => until > since && from < row.seq);
  }

  /** The audience of a document at `seq`; 0: it did not exist. */
  async audienceAt(
    seq: number,
    { collection, id, ...document }: Selectable<Tables['documents']>,
  ): Promise<number> {
    if (document.seq < seq) return document.audience;
    const [next] = await rowAfter(this.#db, { collection, id, seq });
    return next?.audience_before ?? document.audience;
  }

  async #seeing(audience: number): Promise<Span[]> {
    const members = this.#members.get(audience) ?? (await membersOf(this.#db, audience));
    this.#members.set(audience, members);
    return this.#spans.filter(({ principals }) => principals.some((one) => members.has(one)));
  }
}

const accessChanges = prepared<{ id: string }, { seq: number; detail: string | null }>((db, value) =>
  db
    .selectFrom('feed')
    .select(['seq', 'detail'])
    .where('collection', '=', '$access')
    .where('id', '=', value('id'))
    .orderBy('seq'),
);

type RecordAt = Pick<Selectable<Tables['feed']>, 'collection' | 'id' | 'seq'>;

/** The feed row that gave the record the audience that it had at `seq`. */
const moveBefore = prepared<RecordAt, { seq: number }>((db, value) =>
  db
    .selectFrom('feed')
    .select('seq')
    .where('collection', '=', value('collection'))
    .where('id', '=', value('id'))
    .where('seq', '<', value('seq'))
    .whereRef('audience_before', '!=', 'audience_after')
    .orderBy('seq', 'desc')
    .limit(1),
);

const rowAfter = prepared<RecordAt, { audience_before: number }>((db, value) =>
  db
    .selectFrom('feed')
    .select('audience_before')
    .where('collection', '=', value('collection'))
    .where('id', '=', value('id'))
    .where('seq', '>', value('seq'))
    .orderBy('seq')
    .limit(1),
);
