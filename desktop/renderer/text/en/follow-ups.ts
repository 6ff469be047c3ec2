import { message } from '#shared/text/message.ts';

import { inLanguage } from '../language.ts';

export const followUpText = inLanguage('followUp', {
  title: 'Follow-up order',
  plan: 'Plan follow-up order',
  newTitle: message<[deviation: string]>('Follow-up order of “{deviation}”', 'deviation'),
  of: message<[deviation: string]>('Follow-up of the deviation “{deviation}”', 'deviation'),
  order: message<[number: string]>('Reported in {number}', 'number'),
  planAsOwn: 'Plan as an order of its own',
  plannedAsOwn: 'Planned as an order of its own',
});
