import type { Viewer } from '#server/core/viewer.ts';

import { editors, holds, isSignedIn } from '#server/core/roles.ts';

/** Whose a session is, and whether they are in a team that the viewer owns. */
interface SessionAccess {
  userid: number;
  isLed: boolean;
}

/** Quizzes: the authors of the site manage them and see what is correct; who is signed in takes them. */
export const quizRules = {
  'quiz.see': (viewer: Viewer, _quiz: null): boolean => isSignedIn(viewer),
  'quiz.take': (viewer: Viewer, _quiz: null): boolean => isSignedIn(viewer),
  'quiz.manage': (viewer: Viewer, _quiz: null): boolean => holds(viewer, editors),
  'quiz.seeAnswers': (viewer: Viewer, _quiz: null): boolean => holds(viewer, editors),
  'quizSession.see': (viewer: Viewer, session: SessionAccess): boolean =>
    isSignedIn(viewer) && (viewer.isAdmin || session.userid === viewer.userid || session.isLed),
  'quizSession.seeAll': (viewer: Viewer, _session: null): boolean => viewer.isAdmin,
};
