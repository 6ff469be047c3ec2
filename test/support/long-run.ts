/** Whether this is `npm run test:long`, which asks more of the same tests than `npm test` has time for. */
export const isLongRun = process.env['BENCHBOOK_LONG'] === '1';
