import type { Translation } from '#shared/text/message.ts';

import type { shiftText } from '../en/shifts.ts';

export const shift: Translation<typeof shiftText> = {
  changes: {
    shift: {
      name: 'Schichtbericht',
      awaited: 'Wartet auf den Schichtbericht',
      details: { made: 'erstellt' },
    },
  },
  recordNames: { shiftSummary: 'Schichtbericht' },
};
