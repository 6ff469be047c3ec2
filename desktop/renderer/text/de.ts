import { accountAdmin, redeem } from './de/account-admin.ts';
import { account } from './de/account.ts';
import { administration } from './de/administration.ts';
import { app, difficulty, loss, status, unit } from './de/app.ts';
import { approvals } from './de/approvals.ts';
import { archives } from './de/archives.ts';
import { audit } from './de/audit.ts';
import { board } from './de/board.ts';
import { bullets } from './de/bullets.ts';
import { camera } from './de/camera.ts';
import { comments } from './de/comments.ts';
import { conflict } from './de/conflict.ts';
import { course, module } from './de/courses.ts';
import { crop } from './de/crop.ts';
import { deviation } from './de/deviations.ts';
import { editor } from './de/editor.ts';
import { feedback } from './de/feedback.ts';
import { followUp } from './de/follow-ups.ts';
import { designer } from './de/form-designer.ts';
import { history } from './de/history.ts';
import { jobs } from './de/jobs.ts';
import { library } from './de/library.ts';
import { mailLanguage } from './de/mail-language.ts';
import { offline } from './de/offline.ts';
import { orderHistory } from './de/order-history.ts';
import { pages, people } from './de/pages.ts';
import { palette } from './de/palette.ts';
import { planned } from './de/planned-orders.ts';
import { player } from './de/player.ts';
import { report } from './de/reports.ts';
import { record, revision } from './de/revisions.ts';
import { secondPerson } from './de/second-person.ts';
import { serverStatus } from './de/server-status.ts';
import { setup } from './de/setup.ts';
import { shiftWords } from './de/shift-summaries.ts';
import { shift } from './de/shifts.ts';
import { settings } from './de/settings.ts';
import { signIn } from './de/sign-in.ts';
import { setting, settingChoice, settingGroup, settingSection } from './de/site-settings.ts';
import { site } from './de/site.ts';
import { stationAdmin } from './de/station-admin.ts';
import { teamAdmin } from './de/team-admin.ts';
import { enrol } from './de/station-enrolment.ts';
import { stationHome } from './de/station-home.ts';
import { station } from './de/stations.ts';
import { activity, sync } from './de/sync.ts';
import { tracing } from './de/tracing.ts';
import { quiz, training } from './de/training.ts';
import { unlock } from './de/unlock.ts';
import { updates } from './de/updates.ts';
import { workOrder } from './de/work-orders.ts';
import type { AreaName } from './language.ts';

export { germanRefusal } from './de/refused-words.ts';

/** The German texts of each area. */
export const german = {
  account,
  accountAdmin,
  activity,
  administration,
  app,
  approvals,
  archives,
  audit,
  board,
  bullets,
  camera,
  comments,
  conflict,
  course,
  crop,
  designer,
  deviation,
  difficulty,
  editor,
  enrol,
  feedback,
  followUp,
  history,
  jobs,
  library,
  loss,
  mailLanguage,
  module,
  offline,
  orderHistory,
  pages,
  palette,
  people,
  planned,
  player,
  quiz,
  record,
  redeem,
  report,
  revision,
  secondPerson,
  serverStatus,
  setting,
  settingChoice,
  settingGroup,
  settings,
  settingSection,
  setup,
  shift,
  shiftWords,
  signIn,
  site,
  station,
  stationAdmin,
  teamAdmin,
  stationHome,
  status,
  sync,
  tracing,
  training,
  unit,
  unlock,
  updates,
  workOrder,
} satisfies Record<AreaName, unknown>;
