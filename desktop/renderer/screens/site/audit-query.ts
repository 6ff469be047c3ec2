import type { AuditQuery } from '#desktop/engine/api/audit.ts';

/** What an administrator looks for in the log. Days: `2026-11-22`, of this device's clock; both included. */
export interface AuditFilter {
  userid?: number | undefined;
  action?: string | undefined;
  object?: string | undefined;
  objectid?: string | undefined;
  outcome?: 'done' | 'refused' | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** The page of the log; `page` counts from 0. */
export interface AuditPlace {
  filter: AuditFilter;
  page: number;
}

const path = '/settings/audit';

/** The address of a page of the log. */
export function auditHref(filter: AuditFilter, page = 0): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(filter))
    if (value !== undefined) search.set(name, String(value));
  if (page > 0) search.set('page', String(page + 1));
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

/** What an address asks for; what cannot be read in it narrows nothing. */
export function placeOf(address: string): AuditPlace {
  const search = new URLSearchParams(address);
  const words = (name: string) => search.get(name)?.trim() || undefined;
  const number = (name: string) => (/^\d{1,15}$/.test(words(name) ?? '') ? Number(words(name)) : undefined);
  const day = (name: string) => (startOf(words(name) ?? '') === undefined ? undefined : words(name));
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

/** How many choices narrow the log. A record is one, with or without its number. */
export function choices(filter: AuditFilter): number {
  return Object.entries(filter).filter(([name, value]) => name !== 'objectid' && value !== undefined).length;
}

/** What the server is asked. */
export function queryOf({ from, to, ...filter }: AuditFilter): AuditQuery {
  return { ...filter, from: startOf(from ?? ''), until: startOf(to ?? '', 1) };
}

/** When a day begins here, or the day so many days after it; UNIX seconds. Undefined: this is no day. */
function startOf(day: string, later = 0): number | undefined {
  const [year, month, date] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? []).slice(1).map(Number);
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const start = new Date(year, month - 1, date);
  if (start.getMonth() !== month - 1 || start.getDate() !== date) return undefined;
  // By the calendar, because a day on which clocks change has not 24 hours.
  start.setDate(date + later);
  return Math.max(0, Math.floor(start.getTime() / 1000));
}
