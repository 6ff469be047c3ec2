import type { CallKind } from '#desktop/engine/platform/ports.ts';

import { commentKinds } from './comments.ts';
import { fileKinds } from './files.ts';
import { guideKinds } from './guides.ts';
import type { CallKindSpec } from './kind.ts';
import { markKinds } from './marks.ts';
import { pageKinds } from './pages.ts';
import { peopleKinds } from './people.ts';
import { quizKinds } from './quizzes.ts';
import { workOrderKinds } from './work-orders.ts';

/** Behaviour of each kind of call. The names of the kinds are in `platform/ports.ts`. */
export const callKindSpecs: Readonly<Record<CallKind, CallKindSpec>> = {
  ...guideKinds,
  ...pageKinds,
  ...markKinds,
  ...commentKinds,
  ...peopleKinds,
  ...workOrderKinds,
  ...quizKinds,
  ...fileKinds,
  unreadable: { activity: 'file', endpoints: [] },
};
