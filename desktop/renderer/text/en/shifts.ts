import { inLanguage } from '../language.ts';

/** What the first screens need; the other words are in `shift-summaries.ts`. */
export const shiftText = inLanguage('shift', {
  /** In the list of changes, by kind. */
  changes: {
    shift: { name: 'Shift summary', awaited: 'Waiting for the shift summary', details: { made: 'made' } },
  },
  /** In the audit log, by kind of record. */
  recordNames: { shiftSummary: 'Shift summary' },
});
