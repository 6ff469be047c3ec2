/** The collections of a site, in the order in which they are copied. */
export const collections = [
  'people',
  'teams',
  'pages',
  'guides',
  'files',
  'tags',
  'comments',
  'forms',
  'work log',
] as const;
export type Collection = (typeof collections)[number];

export type Outcome = 'copied' | 'changed' | 'unchanged' | 'deleted' | 'kept';

/** Something that was not had, or not done, and why. `what`: the record, in words. */
export interface Remark {
  collection: Collection;
  what: string;
  why: string;
}

export type Counts = Record<Outcome, number>;

/** What a run did, as data. */
export interface MirrorReport {
  site: string;
  ids: 'keep' | 'map';
  dryRun: boolean;
  /** Whether every list was read to its end. If not, the next run goes on. */
  finished: boolean;
  /** Why the run ended before its end. */
  stopped: string | null;
  collections: Record<Collection, Counts>;
  /** What could not be had. */
  missing: Remark[];
  /** What was changed or used here, so that it was not overwritten or deleted. */
  kept: Remark[];
  /** What was accepted or left out of records that came along. */
  notes: Remark[];
  calls: { answered: number; repeated: number };
}

/** The most examples of a line of the printed report. */
const mostExamples = 5;

/**
 * Collects what a run does.
 *
 * - MIRRORSITE-9 The report says for each collection how many records were copied, changed, deleted, unchanged and kept, and
 *   of everything that could not be had, what it was and why.
 */
export class Report {
  readonly #counts = new Map<Collection, Counts>();
  readonly missing: Remark[] = [];
  readonly kept: Remark[] = [];
  readonly notes: Remark[] = [];

  count(collection: Collection, outcome: Outcome, number = 1): void {
    this.#of(collection)[outcome] += number;
  }

  lack(collection: Collection, what: string, why: string): void {
    this.missing.push({ collection, what, why });
  }

  keep(collection: Collection, what: string, why: string): void {
    this.count(collection, 'kept');
    this.kept.push({ collection, what, why });
  }

  note(collection: Collection, what: string, why: string): void {
    this.notes.push({ collection, what, why });
  }

  counts(): Record<Collection, Counts> {
    return Object.fromEntries(collections.map((name) => [name, this.#of(name)])) as Record<
      Collection,
      Counts
    >;
  }

  #of(collection: Collection): Counts {
    const known = this.#counts.get(collection);
    if (known !== undefined) return known;
    const fresh = { copied: 0, changed: 0, unchanged: 0, deleted: 0, kept: 0 };
    this.#counts.set(collection, fresh);
    return fresh;
  }
}

/** A report as lines for people. */
export function reportLines(report: MirrorReport): string[] {
  const would = report.dryRun ? 'would be ' : '';
  const counted = collections.flatMap((name) => {
    const counts = Object.entries(report.collections[name]).filter(([, number]) => number > 0);
    if (counts.length === 0) return [];
    return [`${name}: ${counts.map(([outcome, number]) => `${number} ${would}${outcome}`).join(', ')}`];
  });
  const { answered, repeated } = report.calls;
  return [
    ...(counted.length === 0 ? ['Nothing to copy was found.'] : counted),
    ...remarkLines('Not had', report.missing),
    ...remarkLines('Kept as it is here', report.kept),
    ...remarkLines('Note', report.notes),
    `${answered} answers of ${report.site}; ${repeated} attempts were repeated.`,
    ...(report.stopped === null
      ? []
      : [`Stopped: ${report.stopped}. Run the command again to go on from here.`]),
  ];
}

/** Remarks with the same reason in one line, with the first few records. */
function remarkLines(heading: string, remarks: readonly Remark[]): string[] {
  const groups = Map.groupBy(remarks, ({ collection, why }) => `${collection}\n${why}`);
  return [...groups.values()].map((same) => {
    const [first] = same;
    const named = same.slice(0, mostExamples).map(({ what }) => what);
    const more = same.length - named.length;
    const rest = more === 0 ? '' : ` and ${more} more`;
    return `${heading}, ${first?.collection}: ${named.join('; ')}${rest}: ${first?.why}`;
  });
}
