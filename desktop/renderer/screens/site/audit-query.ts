import type { AuditQuery } from '#desktop/engine/api/audit.ts';
import { dayStart } from '#desktop/renderer/day-start.ts';

/** The filter of the log. Days are `2026-11-22` in the time zone of this device, both inclusive. */
export interface AuditFilter {
  userid?: number | undefined;
  action?: string | undefined;
  object?: string | undefined;
  objectid?: string | undefined;
  outcome?: 'done' | 'refused' | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** A page of the filtered log; `page` counts from 0. */
export interface AuditSelection {
  filter: AuditFilter;
  page: number;
}

const path = '/settings/audit';

/** Address of a page of the log. */
export function auditHref(filter: AuditFilter, page = 0): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(filter))
    if (value !== undefined) search.set(name, String(value));
  if (page > 0) search.set('page', String(page + 1));
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

/** Parses an address; parameters that cannot be read are ignored. */
export function placeOf(address: string): AuditSelection {
  const search = new URLSearchParams(address);
  const words = (name: string) => search.get(name)?.trim() || undefined;
  const number = (name: string) => (/^\d{1,15}$/.test(words(name) ?? '') ? Number(words(name)) : undefined);
  const day = (name: string) => (dayStart(words(name) ?? '') === undefined ? undefined : words(name));
  const outcome = words('outcome');
  return {
    filter: {
      userid: number('userid'),
      action: words('action'),
      object: words('object'),
      objectid: words('objectid'),
      outcome: outcome === 'done' || outcome === 'refused' ? outcome : undefined,
      from: day('from'),
      to: day('to'),
    },
    page: Math.max(1, number('page') ?? 1) - 1,
  };
}

/** Number of active filters. A record counts once, with or without its number. */
export function choices(filter: AuditFilter): number {
  return Object.entries(filter).filter(([name, value]) => name !== 'objectid' && value !== undefined).length;
}

/** The query for the server. */
export function queryOf({ from, to, ...filter }: AuditFilter): AuditQuery {
  return { ...filter, from: dayStart(from ?? ''), until: dayStart(to ?? '', 1) };
}
