import type { Disposition } from '#shared/model/deviations.ts';

export const deviationText = {
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

  about: (label: string) => `Deviation: ${label}`,
  recorded: 'Report it: a lead decides, and you can continue.',
  failed: 'The check failed',
  failedHint: 'The answer is recorded. Report it: a lead decides, and you can continue.',
  report: 'Report and continue',
  stop: 'Stop and call a lead',
  note: 'What happened?',
  noteHint: 'Anything that helps to decide.',
  addPhoto: 'Add a photo',
  photo: (number: number) => `Photo ${number}`,
  removePhoto: (number: number) => `Remove photo ${number}`,
  reported: 'Deviation reported',
  addToReport: 'Add to the report',
  stopped: (title: string) => `Stopped: ${title}.`,
  done: 'Deviation reported',

  measured: (value: string) => `Measured ${value}`,
  limits: {
    between: (min: string, max: string) => `limits ${min} to ${max}`,
    least: (min: string) => `at least ${min}`,
    most: (max: string) => `at most ${max}`,
  },
  answered: (value: string) => `Answer: ${value}`,
  by: (name: string, since: string) => `Reported by ${name}, ${since}`,
  byYou: (since: string) => `Reported by you, ${since}`,

  decide: 'Decide',
  decideAgain: 'Change the decision',
  decideTitle: (title: string) => `What happens with “${title}”?`,
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
  needReason: 'Say why',
  save: 'Save decision',
  decidedBy: (what: string, name: string, since: string) => `${what} · ${name}, ${since}`,
  earlier: 'Earlier decisions',
};
