import type { SupplyFacts } from '#shared/model/guide.ts';

import type { PageCard } from './page-records.ts';
import type { Live } from './engine.ts';
import type { GuideSummaryCard, WorkOrder } from './records.ts';

/** A category that a search found. `path`: the names of the categories above it, the topmost first. */
export interface FoundCategory {
  title: string;
  displayTitle: string;
  guides: number;
  path: string[];
}

/** What a search found besides guides, best first; of each kind at most five. */
export interface Found {
  categories: FoundCategory[];
  pages: PageCard[];
  /** Orders by number, serial number or guide: those of the person, and those that they may take over. */
  orders: WorkOrder[];
}

/** What guides that name the same part or tool have in common. */
export type NamedSupply = Pick<SupplyFacts, 'text' | 'type' | 'url'>;

/** Live reads by which a person finds their way. */
export interface FinderViews {
  /** What a text finds besides guides. */
  find(words: string): Live<Found>;
  /** The names of categories that differ from their titles, by title. */
  categoryNames(): Live<Readonly<Record<string, string>>>;
  /** The guides that the person opened last on this device and may still see, the latest first. */
  recentGuides(): Live<GuideSummaryCard[]>;
  /** The parts or tools that guides on this device name, those of the most guides first. */
  namedSupplies(field: 'parts' | 'tools'): Live<NamedSupply[]>;
}
