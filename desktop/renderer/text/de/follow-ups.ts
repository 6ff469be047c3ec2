import type { Translation } from '#shared/text/message.ts';

import type { followUpText } from '../en/follow-ups.ts';

export const followUp: Translation<typeof followUpText> = {
  title: 'Folgeauftrag',
  plan: 'Folgeauftrag planen',
  newTitle: 'Folgeauftrag zu „{deviation}“',
  of: 'Folgeauftrag zur Abweichung „{deviation}“',
  order: 'Gemeldet in {number}',
  planAsOwn: 'Als eigenen Auftrag planen',
  plannedAsOwn: 'Als eigener Auftrag geplant',
};
