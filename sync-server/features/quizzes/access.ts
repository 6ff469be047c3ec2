import type { Viewer } from '#server/core/viewer.ts';

import { editors, holds, isSignedIn } from '#server/core/roles.ts';

/** The person of a session, and whether they are a member of a team that the viewer owns. */
interface SessionAccess {
  userid: number;
  isLed: boolean;
}

/**
 * - QUIZ-1 Site authors manage quizzes and see correct answers. Everyone who is signed in sees and takes quizzes.
 *   Kiosks do not, because their user is unknown.
 * - QUIZ-5 `correctAnswer` is removed everywhere in a survey, and in submissions, for people who do not manage quizzes.
 *   Conditions and texts by the author stay.
 */
export const quizRules = {
  'quiz.see': (viewer: Viewer, _quiz: null): boolean => isSignedIn(viewer),
  'quiz.take': (viewer: Viewer, _quiz: null): boolean => isSignedIn(viewer),
  'quiz.manage': (viewer: Viewer, _quiz: null): boolean => holds(viewer, editors),
  'quiz.seeAnswers': (viewer: Viewer, _quiz: null): boolean => holds(viewer, editors),
  'quizSession.see': (viewer: Viewer, session: SessionAccess): boolean =>
    isSignedIn(viewer) && (viewer.isAdmin || session.userid === viewer.userid || session.isLed),
  'quizSession.seeAll': (viewer: Viewer, _session: null): boolean => viewer.isAdmin,
};
