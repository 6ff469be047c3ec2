import type { Endpoint } from '#shared/api/endpoint.ts';
import { offlineSurface } from '#shared/api/offline-surface.ts';
import type { OfflineKind } from '#shared/api/surface.ts';
import type { CallKind } from '#desktop/engine/platform/ports.ts';

import { commentKinds } from './comments.ts';
import { deviationKinds } from './deviations.ts';
import { fileKinds } from './files.ts';
import { guideKinds } from './guides.ts';
import type { CallKindSpec } from './kind.ts';
import { markKinds } from './marks.ts';
import { pageKinds } from './pages.ts';
import { peopleKinds } from './people.ts';
import { quizKinds } from './quizzes.ts';
import { workOrderKinds } from './work-orders.ts';

/** Behaviour of each kind of call. A kind that an endpoint names in `offline` and that is missing here does not compile. */
export const callKindSpecs: Readonly<Record<CallKind, CallKindSpec>> = {
  ...guideKinds,
  ...pageKinds,
  ...markKinds,
  ...commentKinds,
  ...peopleKinds,
  ...workOrderKinds,
  ...deviationKinds,
  ...quizKinds,
  ...fileKinds,
  unreadable: { activity: 'file' },
};

/** The kinds of calls in the journal. */
export const storedKinds = Object.keys(callKindSpecs).filter((kind) => kind !== 'unreadable') as CallKind[];

/** The endpoints of the API whose calls may wait, with the kind of each. */
export const offlineEndpoints = Object.values(offlineSurface)
  .flatMap((table): Endpoint[] => Object.values(table))
  .filter((endpoint): endpoint is Endpoint & { offline: OfflineKind } => endpoint.offline !== undefined);
