import { message } from '#shared/text/message.ts';

import { inLanguage } from '../language.ts';

/** Words of the history of a guide, and of the difference between two versions. */
export const historyText = inLanguage('history', {
  title: 'History',
  titleOf: message<[guide: string]>('History: {guide}', 'guide'),
  list: 'Revisions',
  revision: message<[number: number | null]>(
    '{number, select, null {Revision without a number} other {Revision {number}}}',
    'number',
  ),
  by: (author: string, date: string) => (author === '' ? date : `${author} · ${date}`),
  present: 'Now',
  approved: 'Approved',
  released: message<[title: string]>('Released as {title}', 'title'),
  older: 'Older',
  newer: 'Newer',
  heading: message<[before: string, after: string]>('{before} → {after}', 'before', 'after'),
  toGuide: 'Read the guide',
  restore: message<[revision: string]>('Restore {revision}', 'revision'),
  restoreTitle: message<[revision: string]>('Restore {revision}?', 'revision'),
  restoreBody:
    'The guide gets this text again, as a new revision. Nothing is lost: the present text stays in the history. Flags and the guides to do first stay as they are now.',
  restored: 'Restored as a new revision',
  waiting:
    'Your changes to this guide are not on the server yet. You can restore or release a revision once they are.',
  release: 'Release…',
  releaseTitle: message<[revision: string]>('Release {revision}', 'revision'),
  releaseBody: 'Guides and planned orders can name a release, and then always show this text.',
  releaseName: 'Name',
  releaseNameHint: 'Leave it empty to number it after the last release.',
  releaseNotes: 'What is new',
  releaseNow: 'Release',
  savedMeanwhile: 'Someone saved this guide meanwhile',
  savedMeanwhileHint: 'Look at what changed, then release it. The name and the notes stay here.',
  lookAgain: 'Show what changed',
  releasedNow: 'Released. If the guide needs approval, it is released once everyone has signed.',
  only: 'This guide has one revision so far',
  onlyHint: 'Every save makes a new revision. You can compare and restore them here.',
  missing: 'No history to show',
  missingHint: 'This guide isn’t on this device or the server, or you may not see it.',
  offline: 'Only revisions on this device can be compared',
  offlineHint: message<[number: number]>(
    'You’re offline. {number, plural, one {One revision is} other {{number} revisions are}} on this device; the others are on the server.',
    'number',
  ),
  loading: 'Loading the revision…',
  loadingList: 'Loading the revisions…',
  tryAgain: 'Try again',
  changes: message<[number: number]>(
    '{number, plural, one {# step changed} other {# steps changed}}',
    'number',
  ),
  same: 'Choose two different revisions to compare.',

  before: 'Before',
  after: 'Now',
  noChanges: 'Nothing differs between these versions.',
  step: (number: number, title: string) => (title === '' ? `Step ${number}` : `Step ${number} · ${title}`),
  added: 'added',
  removed: 'removed',
  changed: 'changed',
  movedFrom: message<[number: number]>('moved from {number}', 'number'),
  movedLine: '(moved)',
  otherMedia: 'Another video, or a video instead of pictures.',
  pictures: {
    same: 'The same picture',
    added: 'Picture added',
    removed: 'Picture removed',
    marked: 'Markers changed',
  },
});
