import type { Disposition } from '#shared/model/deviations.ts';
import { message } from '#shared/text/message.ts';

import { inLanguage } from '../language.ts';

export const deviationText = inLanguage('deviation', {
  /** In the list of changes, by kind. */
  changes: {
    deviation: {
      name: 'Deviation',
      awaited: 'Waiting for the deviation',
      details: {
        report: 'reported',
        'use-as-is': 'use as is',
        rework: 'rework',
        scrap: 'scrap',
        return: 'return',
      },
    },
  },
  /** In the audit log, by kind of record. */
  recordNames: { deviation: 'Deviation' },
  title: 'Deviations',
  lead: 'What was not as it should be in work orders, and what was decided.',
  toDecide: 'Deviations to decide',
  open: 'Waiting for a lead',
  decided: 'Decided',
  none: 'No deviations',
  noneHint: 'A value out of its limits, a failed check or a report from a work order appears here.',
  all: 'All deviations',
  inOrder: 'Deviations',

  about: message<[label: string]>('Deviation: {label}', 'label'),
  recorded: 'Report it: a lead decides, and you can continue.',
  failed: 'The check failed',
  failedHint: 'The answer is recorded. Report it: a lead decides, and you can continue.',
  report: 'Report and continue',
  stop: 'Stop and call a lead',
  note: 'What happened?',
  noteHint: 'Anything that helps to decide.',
  addPhoto: 'Add a photo',
  photo: message<[number: number]>('Photo {number}', 'number'),
  removePhoto: message<[number: number]>('Remove photo {number}', 'number'),
  reported: 'Deviation reported',
  addToReport: 'Add to the report',
  stopped: message<[title: string]>('Stopped: {title}.', 'title'),
  done: 'Deviation reported',

  measured: message<[value: string]>('Measured {value}', 'value'),
  limits: {
    between: message<[min: string, max: string]>('limits {min} to {max}', 'min', 'max'),
    least: message<[min: string]>('at least {min}', 'min'),
    most: message<[max: string]>('at most {max}', 'max'),
  },
  answered: message<[value: string]>('Answer: {value}', 'value'),
  by: message<[name: string, since: string]>('Reported by {name}, {since}', 'name', 'since'),
  byYou: message<[since: string]>('Reported by you, {since}', 'since'),

  decide: 'Decide',
  decideAgain: 'Change the decision',
  decideTitle: message<[title: string]>('What happens with “{title}”?', 'title'),
  disposition: 'Decision',
  dispositions: {
    'use-as-is': 'Use as is',
    rework: 'Rework',
    scrap: 'Scrap',
    return: 'Return',
  } satisfies Record<Disposition, string>,
  dispositionHints: {
    'use-as-is': 'The part is released although it deviates.',
    rework: 'The part is worked on again and checked again.',
    scrap: 'The part is not used.',
    return: 'The part goes back to its supplier.',
  } satisfies Record<Disposition, string>,
  reason: 'Reason',
  reasonHint: 'Becomes part of the record.',
  needDisposition: 'Choose what happens',
  changedMeanwhile: 'This deviation has changed. Look at it again, then choose.',
  needReason: 'Say why',
  save: 'Save decision',
  decidedBy: message<[what: string, name: string, since: string]>(
    '{what} · {name}, {since}',
    'what',
    'name',
    'since',
  ),
  earlier: 'Earlier decisions',
});
