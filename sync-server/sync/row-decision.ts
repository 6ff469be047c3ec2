import type { SyncedCollection } from '#shared/sync/wire.ts';
import { membersOf } from '#server/storage/audiences.ts';
import { visibleAudiences, type Principal } from '#server/storage/feed.ts';
import type { Db } from '#server/storage/tables.ts';

import { collectionsFor, lineText, type FeedLine } from './feed-line.ts';
import type { Scanned } from './feed-reader.ts';
import { namedPrerequisites, withPrerequisites } from './prerequisites.ts';

/** Who asks what a row means. The rights are those of before the row, and still hold. */
export interface Asking {
  readonly userid: number;
  readonly principals: readonly Principal[];
  readonly protocol: number;
}

/** A line as it is sent. `name`: the same for the same text within a page. */
export interface SentLine {
  name: string;
  text: string;
}

/**
 * What one row of the feed means for people who have everything before it and whose rights have not changed since: the
 * same as `readFeed` would report to each of them, but decided for all of them together.
 */
export class RowDecision {
  /** Everybody who may get a line: the audiences before and after. */
  readonly principals: readonly string[];
  /** The person whose call it was, who gets at least its key; null: no call with a key. */
  readonly userid: number | null;
  readonly #db: Db;
  readonly #row: Scanned;
  readonly #before: ReadonlySet<string>;
  readonly #after: ReadonlySet<string>;
  readonly #named: readonly NamedPrerequisite[];
  readonly #lines = new Map<string, SentLine>();

  private constructor(
    db: Db,
    row: Scanned,
    {
      before,
      after,
      named,
    }: { before: ReadonlySet<string>; after: ReadonlySet<string>; named: NamedPrerequisite[] },
  ) {
    this.#db = db;
    this.#row = row;
    this.#before = before;
    this.#after = after;
    this.#named = named;
    this.userid = row.key === null ? null : row.userid;
    // A superseded row says nothing to those who saw the record before and after it, apart from its key.
    const saysNothing = row.body === null && before === after;
    this.principals = saysNothing ? [] : [...new Set([...before, ...after])];
  }

  static async of(db: Db, row: Scanned): Promise<RowDecision> {
    const after = await audience(db, row.audience_after);
    const before =
      row.audience_before === row.audience_after ? after : await audience(db, row.audience_before);
    const names =
      row.collection === 'guides' && row.body !== null ? await namedPrerequisites(db, Number(row.id)) : [];
    const named: NamedPrerequisite[] = [];
    for (const { prerequisiteid, audience: number } of names)
      named.push({ prerequisiteid, members: await audience(db, number ?? 0) });
    return new RowDecision(db, row, { before, after, named });
  }

  /** The line for somebody; null: none. */
  async lineFor(asking: Asking): Promise<SentLine | null> {
    const { collection, body } = this.#row;
    if (collectionsFor(asking.protocol, null)?.has(collection as SyncedCollection) === false) return null;
    const isOwn = this.userid === asking.userid;
    const sees = isAmong(asking, this.#after);
    if (sees && body !== null) return this.#document(asking, body, isOwn);
    const saw = this.#before !== this.#after && isAmong(asking, this.#before);
    if (saw && !sees) return this.#line(`removed ${isOwn}`, asking, { ...this.#base(isOwn), removed: true });
    return isOwn ? this.#line('key', asking, this.#base(true)) : null;
  }

  async #document(asking: Asking, body: string, isOwn: boolean): Promise<SentLine> {
    const hidden = this.#named.filter(({ members }) => !isAmong(asking, members));
    const name = `${isOwn} ${hidden.map(({ prerequisiteid }) => prerequisiteid).join(' ')}`;
    const known = this.#lines.get(`${name} ${asking.protocol}`);
    if (known !== undefined) return known;
    const line: FeedLine = { ...this.#base(isOwn), body, uid: this.#row.uid ?? '' };
    if (this.#named.length === 0) return this.#line(name, asking, line);
    const visible = await visibleAudiences(this.#db, asking.principals);
    const [adapted = line] = await withPrerequisites(this.#db, visible, [line]);
    return this.#line(name, asking, adapted);
  }

  #base(isOwn: boolean): FeedLine {
    const { collection, id, seq, key } = this.#row;
    return { c: collection as SyncedCollection, id, seq, ...(isOwn && key !== null ? { key } : {}) };
  }

  #line(name: string, { protocol }: Asking, line: FeedLine): SentLine {
    const full = `${name} ${protocol}`;
    const known = this.#lines.get(full);
    if (known !== undefined) return known;
    const sent = { name: `${this.#row.seq} ${full}`, text: lineText(line, protocol) };
    this.#lines.set(full, sent);
    return sent;
  }
}

/** A prerequisite, and who may see it. */
interface NamedPrerequisite {
  prerequisiteid: number;
  members: ReadonlySet<string>;
}

const nobodyAtAll: ReadonlySet<string> = new Set();

async function audience(db: Db, number: number): Promise<ReadonlySet<string>> {
  return number === 0 ? nobodyAtAll : membersOf(db, number);
}

function isAmong({ principals }: Asking, members: ReadonlySet<string>): boolean {
  return principals.some((one) => members.has(one));
}
