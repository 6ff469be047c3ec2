/** Whether this is `npm run test:long`, which runs more of the same tests than `npm test`. */
export const isLongRun = process.env['BENCHBOOK_LONG'] === '1';

/** Number of runs of a property: `often` in the long run, an eighth of that otherwise. */
export function runs(often: number): number {
  return isLongRun ? often : Math.ceil(often / 8);
}
