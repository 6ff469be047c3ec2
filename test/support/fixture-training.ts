import type { Live } from '#desktop/engine/engine.ts';
import type { TrainingServerActions, TrainingViews } from '#desktop/engine/api/training.ts';
import type { AreaActions, AreaViews } from '#desktop/engine/areas/index.ts';
import type { Attempt, Quiz, QuizCard } from '#desktop/engine/api/training-records.ts';
import { must } from '#shared/must.ts';
import type { Course, CourseAssignment } from '#shared/model/course.ts';
import type { TrainingImport } from '#shared/model/training.ts';

import { importOf, passedAttempt, quizOf, type TrainingWorld } from './demo-training.ts';
import type { World } from './fixture-world.ts';

type Make = (change: (now: World) => Partial<World>) => void;
type LiveOf = <T>(pick: (now: World) => T) => Live<T>;

function withAttempts(quiz: Quiz, { attempts }: TrainingWorld): Quiz {
  const own = attempts.filter(({ quizid }) => quizid === quiz.quizid);
  return { ...quiz, attempts: own, latest: own.find(({ state }) => state === 'open') ?? own[0] ?? null };
}

export function trainingViews(
  live: LiveOf,
): TrainingViews & Pick<AreaViews, 'quizzes' | 'guideQuizzes' | 'quiz' | 'attempt'> {
  return {
    quizzes: () =>
      live(({ training }) => ({
        quizzes: training.quizzes.map((quiz): QuizCard => withAttempts(quiz, training)),
        attempts: training.attempts,
      })),
    guideQuizzes: (guideid) =>
      live(({ training }) =>
        training.quizzes
          .filter(({ quizid }) => training.ofGuides[guideid]?.includes(quizid) === true)
          .map((quiz) => withAttempts(quiz, training)),
      ),
    quiz: ({ quizid }) =>
      live(({ training }) => {
        const quiz = training.quizzes.find((one) => one.quizid === quizid);
        return quiz === undefined ? null : withAttempts(quiz, training);
      }),
    attempt: (sessionid) =>
      live(({ training }) => training.attempts.find((one) => one.sessionid === sessionid) ?? null),
    courses: () => live(({ training }) => training.courses),
  };
}

type QuizAction = 'beginQuiz' | 'saveAnswers' | 'submitAnswers' | 'cancelQuiz' | 'handInAnew';

export function quizActions(change: Make, world: () => World): Pick<AreaActions, QuizAction> {
  const put = (sessionid: string, edit: Partial<Attempt>) =>
    change(({ training }) => ({
      training: {
        ...training,
        attempts: training.attempts.map((one) => (one.sessionid === sessionid ? { ...one, ...edit } : one)),
      },
    }));
  return {
    async beginQuiz({ quizid, guideid }) {
      const { training } = world();
      const quiz = must(
        training.quizzes.find((one) => one.quizid === quizid),
        'the quiz',
      );
      const sessionid = `tmp:attempt-${training.attempts.length}`;
      const begun: Attempt = {
        ...passedAttempt,
        sessionid,
        quizid,
        title: quiz.title,
        guideid: guideid ?? null,
        state: 'open',
        score: null,
        passingScore: quiz.passingScore,
        startedAt: Date.now(),
        endedAt: null,
        pending: true,
        results: null,
      };
      change((now) => ({ training: { ...now.training, attempts: [begun, ...now.training.attempts] } }));
      return sessionid;
    },
    saveAnswers: async (sessionid, answers) => put(sessionid, { answers }),
    submitAnswers: async (sessionid, answers) =>
      put(sessionid, { answers, state: 'waiting', endedAt: Date.now(), pending: true }),
    cancelQuiz: async (sessionid) => put(sessionid, { state: 'cancelled', endedAt: Date.now() }),
    async handInAnew() {
      return 'tmp:attempt-again';
    },
  };
}

export function trainingActions(change: Make, world: () => World): TrainingServerActions {
  const training = (): TrainingWorld => world().training;
  const edit = (make: (now: TrainingWorld) => Partial<TrainingWorld>) =>
    change((now) => ({ training: { ...now.training, ...make(now.training) } }));
  const changeImport = (importid: number, part: Partial<TrainingImport>): TrainingImport => {
    edit(({ imports }) => ({
      imports: imports.map((one) => (one.importid === importid ? { ...one, ...part } : one)),
    }));
    return must(
      training().imports.find((one) => one.importid === importid),
      'the import',
    );
  };
  const player = (title: string) => ({
    external_training_moduleid: 1,
    importid: 11,
    title,
    standard: 'scorm_1.2' as const,
    url: 'http://localhost:1/modules/launch/token',
    expires: 1_790_000_000,
  });
  return {
    readSurvey: async (quizid) =>
      must(
        training().quizzes.find((one) => one.quizid === quizid),
        'the quiz',
      ).survey,
    async importQuiz({ title, passing_score, surveyjs }) {
      const quizid = training().quizzes.length + 1;
      const made = quizOf(quizid, title ?? String(surveyjs['title']), 1, passing_score);
      edit(({ quizzes }) => ({ quizzes: [...quizzes, made] }));
      return {
        quizid,
        title: made.title,
        quiz_revisionid: quizid,
        passing_score,
        question_count: 1,
        userid: 9101,
        created_date: 0,
        modified_date: 0,
        associations: [],
      };
    },
    async removeQuizzes(quizids) {
      edit(({ quizzes }) => ({ quizzes: quizzes.filter(({ quizid }) => !quizids.includes(quizid)) }));
      return { deleted: quizids, kept: [] };
    },
    async attachQuiz() {},
    listSessions: async () => training().sessions,
    readSubmission: async (sessionid) => ({
      sessionid,
      quizid: 2,
      quiz_revisionid: 2,
      userid: 9102,
      status: 'completed',
      score: 50,
      passing_score: 80,
      passed: false,
      correct_count: 1,
      quiz_count: 2,
      questions: [
        {
          vendor_question_uid: 'q1',
          title: 'Which dresser suits a fine wheel?',
          answer: 'Diamond',
          correct_answer: 'Diamond',
          is_correct: true,
        },
        {
          vendor_question_uid: 'q2',
          title: 'How deep is one pass?',
          answer: '1 mm',
          correct_answer: '0.02 mm',
          is_correct: false,
        },
      ],
    }),
    listCourses: async () => training().managed,
    async saveCourse(courseid, course) {
      const saved: Course = {
        ...must(training().managed[0], 'a course'),
        courseid: courseid ?? training().managed.length + 1,
        title: course.title,
        description: course.description,
        stages: course.stages.map((one, index) => ({
          course_stageid: one.course_stageid ?? 100 + index,
          orderby: index + 1,
          title: one.title ?? `Stage ${index + 1}`,
          doctype: one.doctype,
          docid: one.docid,
          passing_score: one.passing_score,
        })),
      };
      edit(({ managed }) => ({
        managed: [...managed.filter((one) => one.courseid !== saved.courseid), saved],
      }));
      return saved;
    },
    async removeCourse(courseid) {
      edit(({ managed }) => ({ managed: managed.filter((one) => one.courseid !== courseid) }));
    },
    listAssignments: async () => training().assignments,
    async assignCourse(courseid, { teamid = null, userid = null, due_date }) {
      const made: CourseAssignment = {
        course_assignmentid: training().assignments.length + 1,
        courseid,
        title: 'Grinder licence',
        teamid,
        userid,
        due_date,
        status: 'open',
      };
      edit(({ assignments }) => ({ assignments: [...assignments, made] }));
      return made;
    },
    async unassignCourse(_courseid, id) {
      edit(({ assignments }) => ({
        assignments: assignments.filter((one) => one.course_assignmentid !== id),
      }));
    },
    courseCompletions: async (courseid) => [
      {
        courseid,
        userid: 9101,
        completed_date: null,
        stages: [
          { course_assignment_stage_completionid: 1, course_stageid: 1, score: null, date: 1_760_000_000 },
        ],
      },
    ],
    listModules: async () => training().modules,
    moduleImports: async (id) => training().imports.filter((one) => one.external_training_moduleid === id),
    moduleUsage: async () => [
      {
        courseid: 1,
        title: 'Grinder licence',
        course_stageid: 3,
        stage_title: 'Lockout, the film',
        assignments: 1,
      },
    ],
    async beginImport(of) {
      const made = importOf(40 + training().imports.length, 3, {
        status: 'created',
        title: null,
        standard: null,
        end_date: null,
      });
      if ('external_training_moduleid' in of) made.external_training_moduleid = of.external_training_moduleid;
      edit(({ imports }) => ({ imports: [made, ...imports] }));
      return made;
    },
    importFromAddress: async (importid, address) =>
      changeImport(importid, { status: address.endsWith('/ready.zip') ? 'complete' : 'running' }),
    importFromFile: async (importid) => changeImport(importid, { status: 'running' }),
    importProgress: async (importid) =>
      changeImport(importid, {}).status === 'complete'
        ? null
        : { importid, status: 'running', progress: 40, message: 'Unpacking' },
    readImport: async (importid) => changeImport(importid, {}),
    cancelImport: async (importid) => changeImport(importid, { status: 'cancelled' }),
    async makeCurrent(_id, importid) {
      edit(({ imports }) => ({
        imports: imports.map((one) => ({
          ...one,
          is_current: one.importid === importid,
          is_draft: one.is_draft && one.importid !== importid,
        })),
      }));
      return must(training().modules[0], 'a module');
    },
    async makeDraft(_id, importid) {
      edit(({ imports }) => ({
        imports: imports.map((one) => ({ ...one, is_draft: one.importid === importid })),
      }));
      return must(training().modules[0], 'a module');
    },
    async removeImport(importid) {
      edit(({ imports }) => ({ imports: imports.filter((one) => one.importid !== importid) }));
    },
    async removeModule(moduleid) {
      edit(({ modules }) => ({
        modules: modules.filter((one) => one.external_training_moduleid !== moduleid),
      }));
    },
    previewImport: async () => player('Preview'),
    playModule: async () => player('Lockout, the film'),
  };
}
