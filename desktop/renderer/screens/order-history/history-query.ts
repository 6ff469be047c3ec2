import type { OrderFilter } from '#desktop/engine/api/order-history.ts';
import { dayStart } from '#desktop/renderer/day-start.ts';
import { entryStatuses } from '#shared/model/work-log.ts';

/** The filter of the list. Days are `2026-11-22` in the time zone of this device, both inclusive. */
export interface HistoryFilter extends Omit<OrderFilter, 'from' | 'until'> {
  from?: string | undefined;
  to?: string | undefined;
}

/** A page of the filtered list; `page` counts from 0. */
export interface HistorySelection {
  filter: HistoryFilter;
  page: number;
}

const path = '/order-history';

/** Address of a page of the list. */
export function historyHref(filter: HistoryFilter, page = 0): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(filter))
    if (value !== undefined && value !== false) search.set(name, String(value));
  if (page > 0) search.set('page', String(page + 1));
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

/** Parses an address; parameters that cannot be read are ignored. */
export function placeOf(address: string): HistorySelection {
  const search = new URLSearchParams(address);
  const words = (name: string) => search.get(name)?.trim() || undefined;
  const number = (name: string) =>
    /^[1-9]\d{0,14}$/.test(words(name) ?? '') ? Number(words(name)) : undefined;
  const day = (name: string) => (dayStart(words(name) ?? '') === undefined ? undefined : words(name));
  return {
    filter: {
      userid: number('userid'),
      teamid: number('teamid'),
      guideid: number('guideid'),
      status: entryStatuses.find((one) => one === words('status')),
      deviating: words('deviating') === 'true' || undefined,
      from: day('from'),
      to: day('to'),
    },
    page: (number('page') ?? 1) - 1,
  };
}

/** Number of active filters. */
export function choices(filter: HistoryFilter): number {
  return Object.values(filter).filter((value) => value !== undefined).length;
}

/** The filter for the server. */
export function queryOf({ from, to, ...filter }: HistoryFilter): OrderFilter {
  return { ...filter, from: dayStart(from ?? ''), until: dayStart(to ?? '', 1) };
}
