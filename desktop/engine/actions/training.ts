import { courses } from '#shared/api/courses.ts';
import { externalTrainingModules } from '#shared/api/external-training-modules.ts';
import { notFound, Problem } from '#shared/api/problem.ts';
import { quizzes } from '#shared/api/quizzes.ts';

import type { TrainingServerActions } from '../api/training.ts';
import type { ActionContext } from '../features/action-context.ts';
import { serverClient } from './server-client.ts';

const tables = { quizzes, courses, modules: externalTrainingModules };
const firstPage = { limit: 200, offset: 0 };

/**
 * Actions on results of others, courses and modules. They go to the server directly; nothing is stored on the device.
 */
export function trainingActions(context: ActionContext): TrainingServerActions {
  const { core } = context.sources;
  const client = serverClient(core, tables);
  const key = () => ({ idempotencyKey: core.environment.uuid() });
  return {
    readSurvey: (quizid) => client.quizzes.read({ params: { quizid }, query: {} }),
    importQuiz: (quiz) => client.quizzes.import({ body: quiz }, key()),
    removeQuizzes: (quizids) => client.quizzes.remove({ body: { quizids } }, key()),
    async attachQuiz(guideid, quizid) {
      const record = await core.mirror.get('guides', context.resolve(guideid));
      if (record === null) throw notFound('Guide');
      const { guideid: number, revisionid } = record.facts;
      await client.quizzes
        .attach({ body: { guideid: number, quizid }, revisionid }, key())
        .catch(throwInPlainWords);
      core.sync.now();
    },
    listSessions: async (filter) =>
      (await client.quizzes.sessions({ query: { ...firstPage, ...filter, order: 'DESC' } })).quizSessions,
    readSubmission: (sessionid) => client.quizzes.submission({ params: { sessionid } }),

    listCourses: () => client.courses.list({ query: firstPage }),
    saveCourse: (courseid, course) =>
      courseid === null
        ? client.courses.create({ body: course }, key())
        : client.courses.patch({ params: { courseid }, body: course }, key()),
    async removeCourse(courseid) {
      await client.courses.remove({ params: { courseid } });
    },
    listAssignments: (courseid) => client.courses.assignments({ params: { courseid } }),
    assignCourse: (courseid, whom) => client.courses.assign({ params: { courseid }, body: whom }, key()),
    async unassignCourse(courseid, course_assignmentid) {
      await client.courses.unassign({ params: { courseid, course_assignmentid } });
    },
    courseCompletions: (courseid) => client.courses.completions({ params: { courseid }, query: firstPage }),
    ...moduleActions(client),
  };
}

type Client = ReturnType<typeof serverClient<typeof tables>>;
type ModuleActions = Pick<
  TrainingServerActions,
  | 'listModules'
  | 'moduleImports'
  | 'moduleUsage'
  | 'beginImport'
  | 'importFromAddress'
  | 'importFromFile'
  | 'importProgress'
  | 'readImport'
  | 'cancelImport'
  | 'makeCurrent'
  | 'makeDraft'
  | 'removeImport'
  | 'removeModule'
  | 'previewImport'
  | 'playModule'
>;

function moduleActions({ modules }: Client): ModuleActions {
  return {
    async listModules() {
      const current = await modules.current({ query: firstPage });
      // The server lists drafts only for persons who manage modules.
      const drafts = await modules.drafts({ body: firstPage }).catch(() => []);
      const byId = new Map([...drafts, ...current].map((one) => [one.external_training_moduleid, one]));
      return [...byId.values()].toSorted((a, b) => a.title.localeCompare(b.title));
    },
    moduleImports: (id) => modules.imports({ params: { id } }),
    moduleUsage: (id) => modules.usage({ params: { id } }),
    beginImport: (of) => modules.createImport({ body: of }),
    importFromAddress: (importid, url) => modules.startByUrl({ params: { importid }, body: { url } }),
    importFromFile: (importid, file) => modules.startByUpload({ params: { importid }, body: file }),
    importProgress: (importid) => modules.importProgress({ params: { importid } }).catch(nullWhenOver),
    readImport: (importid) => modules.readImport({ params: { importid } }),
    cancelImport: (importid) => modules.cancelImport({ params: { importid } }),
    makeCurrent: (id, importid) => modules.setCurrent({ params: { id }, body: { importid } }),
    makeDraft: (id, importid) => modules.setDraft({ params: { id }, body: { importid } }),
    async removeImport(importid) {
      await modules.removeImport({ params: { importid } });
    },
    async removeModule(id) {
      await modules.remove({ params: { id } });
    },
    previewImport: (importid) => modules.preview({ params: { importid } }),
    playModule: (id) => modules.player({ params: { id } }),
  };
}

/** Null instead of not-found: an import that has ended has no progress. */
function nullWhenOver(error: unknown): null {
  if (error instanceof Problem && error.kind === 'not-found') return null;
  throw error;
}

function throwInPlainWords(error: unknown): never {
  if (error instanceof Problem && error.kind === 'conflict')
    throw new Problem('conflict', 'The guide has changed meanwhile. It is being fetched: try again');
  throw error;
}
