import type { FeedbackReason } from '#shared/model/comment.ts';
import { message } from '#shared/text/message.ts';

import { inLanguage } from '../language.ts';

export const feedbackText = inLanguage('feedback', {
  /** In the list of changes, by kind. */
  changes: {
    feedback: {
      name: 'Feedback',
      awaited: 'Waiting for the feedback',
      details: { on: 'done', off: 'reopened' },
    },
  },
  title: 'Feedback',
  lead: 'What people found in the steps of guides that you may edit.',
  reasons: {
    wrong: 'Something is wrong',
    unclear: 'Hard to understand',
    picture: 'Picture missing or unclear',
    missing: 'Step missing',
    unsafe: 'Unsafe',
  } satisfies Record<FeedbackReason, string>,
  other: 'Other feedback',

  give: 'Feedback',
  ask: 'What is the matter with this step?',
  sent: 'Thank you. The author gets your feedback.',
  given: message<[reason: string]>('Your feedback: {reason}', 'reason'),
  addNote: 'Add a note',
  note: 'Your note for the author',
  saveNote: 'Save note',
  takeBack: 'Take back',

  doneBy: message<[name: string, since: string]>('Done by {name}, {since}', 'name', 'since'),
  doneByYou: message<[since: string]>('Done by you, {since}', 'since'),

  yours: 'For you',
  others: 'On guides of other authors',
  closed: 'Done',
  none: 'No feedback',
  noneHint: 'When somebody gives feedback on a step of your guides, it appears here.',
  place: message<[guide: string, step: string]>('{guide} · {step}', 'guide', 'step'),
  from: message<[name: string, since: string]>('{name}, {since}', 'name', 'since'),
  fromYou: message<[since: string]>('You, {since}', 'since'),
  you: 'You',
  says: message<[name: string, words: string]>('{name}: {words}', 'name', 'words'),
  close: 'Done',
  closeAbout: message<[place: string]>('Done: {place}', 'place'),
  reopen: 'Reopen',
  reopenAbout: message<[place: string]>('Reopen: {place}', 'place'),
  closeTitle: 'Is this done?',
  answer: message<[name: string]>('Answer to {name} (optional)', 'name'),
  answerHint: 'Appears below the feedback, where everybody who sees the step reads it.',
});
