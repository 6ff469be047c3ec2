import { message } from '#shared/text/message.ts';

import { inLanguage } from '../language.ts';

export const boardText = inLanguage('board', {
  open: 'Board',
  title: 'Board',
  lead: 'The work of your teams, now and in the last 24 hours.',
  leadOwn: 'Your work, now and in the last 24 hours. Leads of teams also see the work of their members.',
  columns: {
    running: 'Running',
    paused: 'Paused',
    suspended: 'Stopped or suspended',
    ended: 'Ended',
  },
  nothing: 'Nothing here',
  emptyTitle: 'No work in the last 24 hours',
  emptyHint: 'Running, paused, suspended and ended work orders appear here.',
  deviates: 'Deviates',
  waitsForLead: 'Waits for a lead',
  progress: message<[done: number, steps: number]>('{done} of {steps} steps visited', 'done', 'steps'),
});
