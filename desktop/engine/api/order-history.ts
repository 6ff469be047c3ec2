import type { WorkedRevision } from '#shared/model/revision.ts';
import type { EntryStatus } from '#shared/model/work-log.ts';

/** Work orders on one page. */
export const historyPageSize = 50;

/** Which work orders are listed. An absent field does not filter. */
export interface OrderFilter {
  /** Who holds the order. */
  userid?: number | undefined;
  /** A team of somebody who held it. */
  teamid?: number | undefined;
  guideid?: number | undefined;
  status?: EntryStatus | undefined;
  /** Only those with deviations or missing values. */
  deviating?: boolean | undefined;
  /** When it was started, UNIX seconds; `until` is excluded. */
  from?: number | undefined;
  until?: number | undefined;
}

/** A work order in the list. Times in ms since 1970. */
export interface FoundOrder {
  entryid: string;
  workorderid: string;
  guideid: string;
  guideTitle: string;
  username: string;
  mine: boolean;
  status: EntryStatus;
  startedAt: number;
  endedAt: number | null;
  /** Working time in ms, when the list was read. */
  activeMs: number;
  /** Whether it has deviations or missing values. */
  deviates: boolean;
  /** The revision that it is worked by; null: started before this was recorded. */
  revision: WorkedRevision | null;
  release: string | null;
}

/** Work orders, latest first. */
export interface FoundOrders {
  orders: FoundOrder[];
  /** Number of all orders that match. */
  total: number;
  /** `device`: the server could not be asked, or does not know these filters. */
  source: 'server' | 'device';
}

/**
 * The work orders that this person may see, from the server; without it, those that this device carries. Each throws the
 * `Problem` of a server that refuses.
 */
export interface OrderHistoryActions {
  /** `page` counts from 0. */
  findOrders: (filter: OrderFilter, page: number) => Promise<FoundOrders>;
  /** All pages. */
  findAllOrders: (filter: OrderFilter) => Promise<FoundOrders>;
}
