import type { Attempt, CourseCard, Quiz } from '#desktop/engine/api/training-records.ts';
import type { Course, CourseAssignment } from '#shared/model/course.ts';
import type { QuizSession, SurveyJson } from '#shared/model/quiz.ts';
import type { TrainingImport, TrainingModule } from '#shared/model/training.ts';

/** Quizzes, courses and modules in the memory of the page. */
export interface TrainingWorld {
  quizzes: Quiz[];
  /** Quizzes attached to guides, by guideid. */
  ofGuides: Record<string, number[]>;
  attempts: Attempt[];
  courses: CourseCard[];
  sessions: QuizSession[];
  modules: TrainingModule[];
  imports: TrainingImport[];
  managed: Course[];
  assignments: CourseAssignment[];
}

const minute = 60_000;
const day = 24 * 60 * minute;

/** A quiz with a question of most kinds. */
export const lockoutSurvey: SurveyJson = {
  title: 'Lockout before maintenance',
  pages: [
    {
      name: 'page1',
      elements: [
        {
          type: 'radiogroup',
          name: 'owner',
          title: 'Who takes the lock off?',
          choices: ['Whoever put it on', 'The foreman', 'Anybody who is done'],
          isRequired: true,
        },
        {
          type: 'checkbox',
          name: 'sources',
          title: 'Which of these must be shut off before the belt is changed?',
          choices: ['Mains', 'Compressed air', 'Room light'],
        },
        { type: 'boolean', name: 'tag', title: 'Is a tag alone enough?' },
        { type: 'html', name: 'note', html: '<strong>Mind the lock<img src=x onerror="alert(1)"></strong>' },
        { type: 'comment', name: 'why', title: 'Why does everybody have a lock of their own?' },
      ],
    },
    {
      name: 'page2',
      elements: [
        {
          type: 'dropdown',
          name: 'first',
          title: 'What comes first?',
          choices: ['Switch off', 'Lock', 'Test'],
        },
        { type: 'rating', name: 'sure', title: 'How sure are you?' },
        {
          type: 'ranking',
          name: 'order',
          title: 'Put these in order',
          choices: ['Switch off', 'Lock', 'Test'],
        },
        { type: 'text', name: 'torque', title: 'Torque of the clamp bolt (Nm)', inputType: 'number' },
        {
          type: 'matrix',
          name: 'parts',
          title: 'Which of these hold energy?',
          columns: ['Yes', 'No'],
          rows: ['Flywheel', 'Spring'],
        },
      ],
    },
  ],
};

export const passedAttempt: Attempt = {
  sessionid: '31',
  quizid: 2,
  title: 'Wheel dressing',
  guideid: null,
  state: 'failed',
  score: 50,
  passingScore: 80,
  startedAt: Date.now() - 3 * day,
  endedAt: Date.now() - 3 * day + 4 * minute,
  pending: false,
  refusal: null,
  answers: {},
  results: [
    { title: 'Which dresser suits a fine wheel?', answer: 'Diamond', correct: true },
    { title: 'How deep is one pass?', answer: '1 mm', correct: false },
  ],
};

const openAttempt: Attempt = {
  ...passedAttempt,
  sessionid: '40',
  quizid: 3,
  title: 'Reading a drawing',
  state: 'open',
  score: null,
  startedAt: Date.now() - 5 * day,
  endedAt: null,
  results: null,
};

export function quizOf(quizid: number, title: string, questions: number, passingScore: number): Quiz {
  return {
    quizid,
    title,
    questions,
    passingScore,
    latest: null,
    revisionid: quizid,
    survey: { ...lockoutSurvey, title },
    attempts: [],
  };
}

const moduleOf = (
  id: number,
  title: string,
  current: number | null,
  draft: number | null,
): TrainingModule => ({
  external_training_moduleid: id,
  title,
  standard: 'scorm_1.2',
  userid: 9101,
  current_importid: current,
  draft_importid: draft,
  created_date: 1_750_000_000,
  modified_date: 1_750_000_000,
});

export const importOf = (
  importid: number,
  version: number,
  edit: Partial<TrainingImport> = {},
): TrainingImport => ({
  importid,
  external_training_moduleid: 1,
  vendor_version_number: version,
  status: 'complete',
  standard: 'scorm_1.2',
  title: 'Lockout, the film',
  userid: 9101,
  init_date: 1_750_000_000 + version * 86_400,
  end_date: 1_750_000_000 + version * 86_400,
  is_current: false,
  is_draft: false,
  message: null,
  ...edit,
});

const stage = { passingScore: null, doneAt: null, score: null };

export function demoTraining(): TrainingWorld {
  const managed: Course = {
    courseid: 1,
    title: 'Grinder licence',
    description: 'For everybody who changes belts and wheels.',
    userid: 9101,
    created_date: 1_750_000_000,
    modified_date: 1_750_000_000,
    stages: [
      {
        course_stageid: 1,
        orderby: 1,
        title: 'Bench Grinder Drive Belt Replacement',
        doctype: 'guide',
        docid: 9001,
        passing_score: null,
      },
      {
        course_stageid: 2,
        orderby: 2,
        title: 'Lockout before maintenance',
        doctype: 'quiz',
        docid: 1,
        passing_score: 80,
      },
      {
        course_stageid: 3,
        orderby: 3,
        title: 'Lockout, the film',
        doctype: 'external_training_module',
        docid: 1,
        passing_score: null,
      },
    ],
  };
  return {
    quizzes: [
      quizOf(1, 'Lockout before maintenance', 9, 80),
      quizOf(2, 'Wheel dressing', 2, 80),
      quizOf(3, 'Reading a drawing', 12, 0),
    ],
    ofGuides: { '9001': [1] },
    attempts: [passedAttempt, openAttempt],
    courses: [
      {
        courseid: 1,
        title: managed.title,
        description: managed.description,
        dueAt: Date.now() + 9 * day,
        completedAt: null,
        stages: [
          {
            ...stage,
            course_stageid: 1,
            title: 'Bench Grinder Drive Belt Replacement',
            doctype: 'guide',
            docid: 9001,
            doneAt: Date.now() - day,
          },
          {
            ...stage,
            course_stageid: 2,
            title: 'Lockout before maintenance',
            doctype: 'quiz',
            docid: 1,
            passingScore: 80,
          },
          {
            ...stage,
            course_stageid: 3,
            title: 'Lockout, the film',
            doctype: 'external_training_module',
            docid: 1,
          },
        ],
      },
      {
        courseid: 2,
        title: 'First day',
        description: '',
        dueAt: null,
        completedAt: Date.now() - 40 * day,
        stages: [
          {
            ...stage,
            course_stageid: 4,
            title: 'Workshop rules',
            doctype: 'guide',
            docid: 9002,
            doneAt: Date.now() - 40 * day,
          },
        ],
      },
    ],
    sessions: [
      {
        sessionid: 31,
        quizid: 2,
        quiz_revisionid: 2,
        title: 'Wheel dressing',
        userid: 9102,
        username: 'Ben Okafor',
        status: 'completed',
        response_json: { q1: 'Diamond' },
        guideid: null,
        course_stageid: null,
        start_date: 1_760_000_000,
        modified_date: 1_760_000_240,
        end_date: 1_760_000_240,
        score: 50,
        passing_score: 80,
        passed: false,
      },
    ],
    modules: [moduleOf(1, 'Lockout, the film', 11, 12), moduleOf(2, 'Crane signals', null, 21)],
    imports: [
      importOf(12, 2, { is_draft: true }),
      importOf(11, 1, { is_current: true }),
      importOf(21, 1, { external_training_moduleid: 2, is_draft: true, title: 'Crane signals' }),
    ],
    managed: [managed],
    assignments: [
      {
        course_assignmentid: 1,
        courseid: 1,
        title: managed.title,
        teamid: null,
        userid: 9101,
        due_date: 1_790_000_000,
        status: 'open',
      },
    ],
  };
}
