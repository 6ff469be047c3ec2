/**
 * The start of a day in the local time zone, or of the day `later` days after it, in UNIX seconds; undefined if the
 * text is not a date.
 */
export function dayStart(day: string, later = 0): number | undefined {
  const [year, month, date] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? []).slice(1).map(Number);
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const start = new Date(year, month - 1, date);
  if (start.getMonth() !== month - 1 || start.getDate() !== date) return undefined;
  // Calendar arithmetic, because days with a clock change do not have 24 hours.
  start.setDate(date + later);
  return Math.max(0, Math.floor(start.getTime() / 1000));
}
