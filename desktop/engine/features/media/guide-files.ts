import type { GuideFacts } from '#shared/model/guide.ts';
import { contentOf } from '#shared/rules/guide-content.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import type { Mirror } from '#desktop/engine/platform/ports.ts';
import { factsOfRelease, releasedIn } from '../records/pinned-releases.ts';
import { type MediaNeed, mediaNeeds } from './needs.ts';

/** The files of one guide, of all its versions that are needed. */
export interface GuideNeeds {
  /** Number of this reading: another one after each change. */
  reading: number;
  /** The row of the guide when it was read. A changed guide has a new row, also if a restored server reuses its `seq`. */
  row: object | undefined;
  needs: readonly MediaNeed[];
  prerequisites: readonly string[];
  /** Teams that the guide is shared with. */
  teams: readonly number[];
}

/** The files of a guide and all its prerequisites. `versions`: names these versions of the guides. */
export interface Closure {
  guideids: ReadonlySet<string>;
  versions: string;
  needs: MediaNeed[];
}

/**
 * The files that guides need.
 *
 * - CARRY-14 Each version of a guide is read once, even if other guides, the media index or the texts of other orders
 *   change: a large library does not work on a small change.
 */
export class GuideFiles {
  readonly #mirror: Pick<Mirror, 'get'>;
  readonly #read = new Map<string, GuideNeeds>();
  #rows: ReadonlyMap<string, object> = new Map();
  #readings = 0;
  #earlier: ReadonlyMap<string, readonly GuideFacts[]> = new Map();

  constructor(mirror: Pick<Mirror, 'get'>) {
    this.#mirror = mirror;
  }

  /** The present versions of the guides. */
  set rows(rows: readonly { id: string }[]) {
    this.#rows = new Map(rows.map((row) => [row.id, row]));
  }

  /** Earlier versions of guides by which this person works, or is to work. */
  set earlier(texts: readonly GuideFacts[]) {
    const before = this.#earlier;
    this.#earlier = Map.groupBy(texts, ({ guideid }) => String(guideid));
    for (const id of new Set([...before.keys(), ...this.#earlier.keys()]))
      if (!sameValue(before.get(id), this.#earlier.get(id))) this.#read.delete(id);
  }

  /** The files of a guide alone; null while it is not on this device. */
  async of(guideid: string): Promise<GuideNeeds | null> {
    const last = this.#read.get(guideid);
    const row = this.#rows.get(guideid);
    if (last !== undefined && row !== undefined && last.row === row) return last;
    const record = guideid.startsWith('tmp:') ? null : await this.#mirror.get('guides', guideid);
    if (record === null) return null;
    const { facts } = record;
    this.#readings += 1;
    const needs = new Map<string, MediaNeed>();
    const texts = this.#earlier.get(guideid) ?? [];
    for (const version of [facts, ...releasedIn(facts).map(factsOfRelease), ...texts])
      for (const need of mediaNeeds(contentOf(version), version)) needs.set(need.key, need);
    const found: GuideNeeds = {
      reading: this.#readings,
      row,
      needs: [...needs.values()],
      prerequisites: facts.prerequisites.map(String),
      teams: facts.allowed_teams ?? [],
    };
    this.#read.set(guideid, found);
    return found;
  }

  /**
   * The files of a guide and its prerequisites: of the present version, of releases, and of revisions of orders.
   *
   * - CARRY-2 The prerequisites of a guide come along, and theirs.
   */
  async closureOf(guideid: string): Promise<Closure> {
    const needs = new Map<string, MediaNeed>();
    const readings: string[] = [];
    const guideids = new Set<string>();
    const open = [guideid];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (guideids.has(id)) continue;
      guideids.add(id);
      const guide = await this.of(id);
      readings.push(`${id}@${guide?.reading ?? 0}`);
      for (const need of guide?.needs ?? []) needs.set(need.key, need);
      open.push(...(guide?.prerequisites ?? []));
    }
    return { guideids, versions: readings.join(), needs: [...needs.values()] };
  }
}
