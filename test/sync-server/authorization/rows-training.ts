import type { courses } from '#shared/api/courses.ts';
import type { externalTrainingModules } from '#shared/api/external-training-modules.ts';

import { authors, own, signedIn, type Cell, type Row } from './row.ts';
import type { RowsOf } from './table.ts';

function managed(status: number): Row {
  return { expect: { any: authors(status) } };
}

export const trainingModuleRows: RowsOf<typeof externalTrainingModules> = {
  current: { expect: { any: '401 200 200 200 200 200 403' } },
  drafts: { ...managed(200), body: {} },
  usage: managed(200),
  player: { expect: { own: own(200, 403), public: signedIn(403) } },
  setCurrent: managed(422),
  setDraft: managed(422),
  imports: managed(200),
  createImport: managed(422),
  startByUrl: managed(422),
  startByUpload: managed(422),
  cancelImport: managed(422),
  importProgress: managed(404),
  readImport: managed(200),
  removeImport: managed(422),
  remove: managed(422),
  preview: managed(200),
  results: managed(200),
};

/** Managing a course: its learners see it but cannot change it, others do not see it. */
function governed(status: number): Row {
  return {
    expect: {
      own: `- 403 ${status} ${status} ${status} 403 404`,
      public: `401 404 ${status} ${status} ${status} 404 404`,
    },
  };
}

export const courseRows: RowsOf<typeof courses> = {
  list: { expect: { any: signedIn(200) } },
  create: { ...managed(201), body: { title: 'Lockout' } },
  read: { expect: { own: own(200, 404), public: '401 404 200 200 200 404 404' } },
  patch: { ...governed(200), body: { title: 'Lockout' } },
  remove: {
    ...governed(204),
    fresh: async ({ world }) => ({ ids: await world.course() }),
  },
  assignments: governed(200),
  assign: {
    ...governed(201),
    body: ({ world }: Cell) => ({ userid: world.helper.userid }),
  },
  unassign: {
    ...governed(204),
    fresh: async ({ world }) => ({ ids: await world.course() }),
  },
  completions: governed(200),
  own: { expect: { any: signedIn(200) } },
};
