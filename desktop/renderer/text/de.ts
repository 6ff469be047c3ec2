import { account } from './de/account.ts';
import { accountAdmin, redeem } from './de/account-admin.ts';
import { administration } from './de/administration.ts';
import { board } from './de/board.ts';
import { jobs } from './de/jobs.ts';
import { settings, signIn } from './de/sign-in.ts';
import { setup } from './de/setup.ts';
import { setting, settingChoice, settingGroup, settingSection } from './de/site-settings.ts';
import { stationAdmin } from './de/station-admin.ts';
import { enrol } from './de/station-enrolment.ts';
import { stationHome } from './de/station-home.ts';
import { station } from './de/stations.ts';
import { unlock } from './de/unlock.ts';
import { updates } from './de/updates.ts';
import type { AreaName } from './language.ts';

/** The German texts of each area. */
export const german = {
  account,
  accountAdmin,
  administration,
  board,
  enrol,
  jobs,
  redeem,
  setting,
  settingChoice,
  settingGroup,
  settingSection,
  settings,
  setup,
  signIn,
  station,
  stationAdmin,
  stationHome,
  unlock,
  updates,
} satisfies Record<AreaName, unknown>;
