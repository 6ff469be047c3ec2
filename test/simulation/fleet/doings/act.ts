import { troubleOf } from '#desktop/engine/sync/trouble.ts';
import { Problem } from '#shared/api/problem.ts';

import type { Doing, DoingKind } from '../plan.ts';
import type { UserSession } from '../user-session.ts';
import { Acting, type Perform } from './acting.ts';
import { callDoings } from './calls.ts';
import { commentDoings } from './comments.ts';
import { decisionDoings } from './decisions.ts';
import { deviationDoings } from './deviations.ts';
import type { Done } from './done.ts';
import { draftDoings } from './drafts.ts';
import { followUpDoings } from './follow-ups.ts';
import { guideDoings } from './guides.ts';
import { orderDoings } from './orders.ts';
import { pageDoings } from './pages.ts';
import { stationDoings } from './station.ts';

const performers: Record<DoingKind, Perform> = {
  ...guideDoings,
  ...draftDoings,
  ...commentDoings,
  ...orderDoings,
  ...deviationDoings,
  ...followUpDoings,
  ...pageDoings,
  ...callDoings,
  ...decisionDoings,
  ...stationDoings,
};

/** Performs a person's action. Refusals of the app are part of the result; any other error is thrown. */
export async function act(userSession: UserSession, doing: Doing, done: Done): Promise<Done> {
  try {
    await performers[doing.kind](new Acting(userSession, doing, done));
  } catch (error) {
    const { words, detail } = troubleOf(error);
    // An error without a message of the app is a fault.
    if (words.startsWith('Something went wrong') && !isOldRefusal(error)) throw error;
    done.refused = detail === null ? words : `${words} ${detail.slice(0, 60)}`;
  }
  return done;
}

/** A refusal of the old app, which has its own error classes. */
function isOldRefusal(error: unknown): boolean {
  return error instanceof Error && !(error instanceof Problem) && error.name === 'Problem';
}
