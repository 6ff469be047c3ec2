import { englishBullets } from '#shared/formats/print/words.ts';
import type { NavigationEntry } from '#shared/rules/screens.ts';

import { appText, difficultyNames, lossText, statusText, unitText } from './en/app.ts';
import { approvalsText } from './en/approvals.ts';
import { archivesText } from './en/archives.ts';
import { boardText } from './en/board.ts';
import { commentsText } from './en/comments.ts';
import { deviationText } from './en/deviations.ts';
import { editorText } from './en/editor.ts';
import { feedbackText } from './en/feedback.ts';
import { followUpText } from './en/follow-ups.ts';
import { libraryText } from './en/library.ts';
import { pagesText, peopleText } from './en/pages.ts';
import { plannedText } from './en/planned-orders.ts';
import { playerText } from './en/player.ts';
import { recordText, revisionText } from './en/revisions.ts';
import { secondPersonText } from './en/second-person.ts';
import { settingsText } from './en/settings.ts';
import { signInText } from './en/sign-in.ts';
import { statusText as serverStatusText } from './en/server-status.ts';
import { setupText } from './en/setup.ts';
import { shiftText } from './en/shifts.ts';
import { siteText } from './en/site.ts';
import { activityText, type ChangeText, conflictText, syncText } from './en/sync.ts';
import { tracingText } from './en/tracing.ts';
import { quizText, trainingText } from './en/training.ts';
import { unlockText } from './en/unlock.ts';
import { updatesText } from './en/updates.ts';
import { workOrderText } from './en/work-orders.ts';
import { inLanguage } from './language.ts';

/** Areas that have their words for the list of changes and for the audit log beside their others. */
export const areas = [deviationText, plannedText, shiftText];

/** These records in one. */
export function joined<T>(...parts: readonly Readonly<Record<string, T>>[]): Readonly<Record<string, T>> {
  return Object.assign({}, ...parts) as Record<string, T>;
}

/**
 * The texts of the user interface, in English, by area. Screens have none of their own. Those of the audit log
 * (`audit.ts`), of the history of a guide (`en/history.ts`), of the site's settings (`en/site-settings.ts`), of courses (`en/courses.ts`), of the designer of
 * forms (`en/form-designer.ts`), of reports (`en/reports.ts`) and of shift summaries (`en/shift-summaries.ts`) are many, so they
 * are loaded with their screens.
 */
export const text = {
  app: appText,
  navigation: {
    library: appText.library,
    pages: appText.pages,
    archives: appText.archives,
    people: appText.people,
    training: appText.training,
    workOrders: appText.workOrders,
    approvals: appText.approvals,
    feedback: appText.feedback,
    sync: appText.sync,
    administration: appText.administration,
  } satisfies Record<NavigationEntry, string>,
  units: unitText,
  bullets: inLanguage('bullets', englishBullets),
  difficulties: difficultyNames,
  status: statusText,
  loss: lossText,
  signIn: signInText,
  setup: setupText,
  unlock: unlockText,
  updates: updatesText,
  serverStatus: serverStatusText,
  settings: settingsText,
  library: libraryText,
  player: playerText,
  comments: commentsText,
  approvals: approvalsText,
  archives: archivesText,
  pages: pagesText,
  people: peopleText,
  site: siteText,
  workOrders: workOrderText,
  deviations: deviationText,
  feedback: feedbackText,
  planned: plannedText,
  followUps: followUpText,
  revisions: revisionText,
  records: recordText,
  secondPerson: secondPersonText,
  board: boardText,
  tracing: tracingText,
  training: trainingText,
  quizzes: quizText,
  sync: syncText,
  activity: joined<ChangeText>(activityText, feedbackText.changes, ...areas.map(({ changes }) => changes)),
  conflict: conflictText,
  editor: editorText,
};
