/**
 * Which backups are kept besides those of the last 24 hours: the newest of each of this many days, weeks and months, of
 * those that have a backup.
 *
 * - BACKUP-10 All backups of a day are kept, then the newest of each day, week and month.
 */
export interface Retention {
  days: number;
  weeks: number;
  months: number;
}

/** The name of a backup made at `at`, UNIX milliseconds: `2026-11-26T03-00-00Z`. Names sort by time and are valid file names. */
export function backupName(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
}

/** The time of a backup from its name, UNIX milliseconds; null for any other name. */
export function timeOf(name: string): number | null {
  const [, date, hours, minutes, seconds] = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z$/.exec(name) ?? [];
  if (date === undefined) return null;
  const at = Date.parse(`${date}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(at) ? null : at;
}

/** The backups to remove. Never the newest, and never a file with another name. `now`: UNIX milliseconds. */
export function backupsToRemove(
  names: readonly string[],
  { days, weeks, months }: Retention,
  now: number,
): string[] {
  const newestFirst = names
    .filter((name) => timeOf(name) !== null)
    .toSorted()
    .toReversed();
  const kept = new Set(newestFirst.filter((name, index) => index === 0 || (timeOf(name) ?? 0) > now - dayMs));
  keepNewestPer(dayOf, days);
  keepNewestPer(weekOf, weeks);
  keepNewestPer(monthOf, months);
  return newestFirst.filter((name) => !kept.has(name)).toReversed();

  function keepNewestPer(periodOf: (at: number) => string, count: number): void {
    const periods = new Set<string>();
    for (const name of newestFirst) {
      const period = periodOf(timeOf(name) ?? 0);
      if (periods.has(period) || periods.size === count) continue;
      periods.add(period);
      kept.add(name);
    }
  }
}

const dayMs = 86_400_000;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);
/** Weeks begin on Monday; 1 January 1970 was a Thursday. */
const weekOf = (at: number): string => String(Math.floor((Math.floor(at / dayMs) + 3) / 7));
