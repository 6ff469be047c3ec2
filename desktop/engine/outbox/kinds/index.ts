import type { Endpoint } from '#shared/api/endpoint.ts';
import { comments } from '#shared/api/comments.ts';
import { deviations } from '#shared/api/deviations.ts';
import { guides } from '#shared/api/guides.ts';
import { media } from '#shared/api/media.ts';
import { plannedOrders } from '#shared/api/planned-orders.ts';
import { quizzes } from '#shared/api/quizzes.ts';
import { shiftSummaries } from '#shared/api/shift-summaries.ts';
import { stepForms } from '#shared/api/step-forms.ts';
import { teams } from '#shared/api/teams.ts';
import { users } from '#shared/api/users.ts';
import { wikis } from '#shared/api/wikis.ts';
import { workLog } from '#shared/api/work-log.ts';
import type { OfflineKind, OfflineSurface } from '#shared/api/surface.ts';
import type { CallKind } from '#desktop/engine/platform/ports.ts';

import { commentKinds } from './comments.ts';
import { deviationKinds } from './deviations.ts';
import { fileKinds } from './files.ts';
import { guideKinds } from './guides.ts';
import type { CallKindSpec } from './kind.ts';
import { markKinds } from './marks.ts';
import { pageKinds } from './pages.ts';
import { peopleKinds } from './people.ts';
import { plannedKinds } from './planned-orders.ts';
import { quizKinds } from './quizzes.ts';
import { shiftKinds } from './shift-summaries.ts';
import { stepFormKinds } from './step-forms.ts';
import { workOrderKinds } from './work-orders.ts';

/**
 * The tables with endpoints whose calls may wait on a device. Devices import these instead of `surface`, so that they do
 * not load the rest of the API. A table that is missing here does not compile.
 */
const offlineTables: OfflineSurface = {
  users,
  teams,
  guides,
  workLog,
  deviations,
  plannedOrders,
  shiftSummaries,
  stepForms,
  comments,
  media,
  wikis,
  quizzes,
};

/** Behaviour of each kind of call. A kind that an endpoint names in `offline` and that is missing here does not compile. */
export const callKindSpecs: Readonly<Record<CallKind, CallKindSpec>> = {
  ...guideKinds,
  ...stepFormKinds,
  ...pageKinds,
  ...markKinds,
  ...commentKinds,
  ...peopleKinds,
  ...workOrderKinds,
  ...deviationKinds,
  ...plannedKinds,
  ...shiftKinds,
  ...quizKinds,
  ...fileKinds,
  unreadable: { activity: 'file' },
};

/** The kinds of calls in the journal. */
export const storedKinds = Object.keys(callKindSpecs).filter((kind) => kind !== 'unreadable') as CallKind[];

/** The endpoints of the API whose calls may wait, with the kind of each. */
export const offlineEndpoints = Object.values(offlineTables)
  .flatMap((table): Endpoint[] => Object.values(table))
  .filter((endpoint): endpoint is Endpoint & { offline: OfflineKind } => endpoint.offline !== undefined);
