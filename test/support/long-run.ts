/** Whether this is `npm run test:long`, which asks more of the same tests than `npm test` has time for. */
export const isLongRun = process.env['BENCHBOOK_LONG'] === '1';

/** How often a property is tried: `often` in the long run, a quarter of that otherwise. */
export function runs(often: number): number {
  return isLongRun ? often : Math.ceil(often / 4);
}
