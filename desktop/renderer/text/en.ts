import { englishBullets } from '#shared/formats/print/words.ts';
import type { NavigationEntry } from '#shared/rules/screens.ts';

import { appText, difficultyNames, lossText, statusText, unitText } from './en/app.ts';
import { accountText } from './en/account.ts';
import { approvalsText } from './en/approvals.ts';
import { archivesText } from './en/archives.ts';
import { boardText } from './en/board.ts';
import { commentsText } from './en/comments.ts';
import { deviationText } from './en/deviations.ts';
import { editorText } from './en/editor.ts';
import { libraryText } from './en/library.ts';
import { pagesText, peopleText } from './en/pages.ts';
import { plannedText } from './en/planned-orders.ts';
import { playerText } from './en/player.ts';
import { recordText, revisionText } from './en/revisions.ts';
import { settingsText, signInText } from './en/sign-in.ts';
import { statusText as serverStatusText } from './en/server-status.ts';
import { setupText } from './en/setup.ts';
import { siteText } from './en/site.ts';
import { activityText, type ChangeText, conflictText, syncText } from './en/sync.ts';
import { courseText, moduleText, quizText, trainingText } from './en/training.ts';
import { unlockText } from './en/unlock.ts';
import { updatesText } from './en/updates.ts';
import { workOrderText } from './en/work-orders.ts';
import { areas, joined } from './areas.ts';

/**
 * All texts of the user interface, in English, by area, except those in `late.ts`. Screens have none of their own.
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
    sync: appText.sync,
  } satisfies Record<NavigationEntry, string>,
  units: unitText,
  bullets: englishBullets,
  difficulties: difficultyNames,
  status: statusText,
  loss: lossText,
  signIn: signInText,
  setup: setupText,
  unlock: unlockText,
  updates: updatesText,
  serverStatus: serverStatusText,
  settings: settingsText,
  account: accountText,
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
  planned: plannedText,
  revisions: revisionText,
  records: recordText,
  board: boardText,
  training: trainingText,
  quizzes: quizText,
  courses: courseText,
  modules: moduleText,
  sync: syncText,
  activity: joined<ChangeText>(activityText, ...areas.map(({ changes }) => changes)),
  conflict: conflictText,
  editor: editorText,
};
