import type { quizzes } from '#shared/api/quizzes.ts';

import { authors, own, type Cell, type Row } from './row.ts';
import type { RowsOf } from './table.ts';

/** All signed-in people except a kiosk. */
function people(status: number): Row {
  return { expect: { any: `401 ${Array<number>(5).fill(status).join(' ')} 403` } };
}

function managed(status: number): Row {
  return { expect: { any: authors(status) } };
}

/** A guide named in the body: an invisible one is 422, like a missing one. */
function ofGuide(status: number): Row {
  return {
    expect: {
      own: own(status, 403),
      team: `401 403 422 422 ${status} 403 403`,
      public: authors(status),
      private: `401 422 422 422 ${status} 422 403`,
    },
    body: ({ ids }: Cell) => ({ guideid: ids['guideid'], quizids: [ids['quizid']] }),
  };
}

const taken = { body: ({ ids }: Cell) => ({ quizid: ids['quizid'], response_json: {} }) };

export const quizRows: RowsOf<typeof quizzes> = {
  search: { ...people(200), body: {} },
  questions: managed(422),
  create: { ...managed(201), body: { title: 'Lockout' } },
  import: managed(422),
  read: people(200),
  remove: { ...managed(200), body: { quizids: [999_999] } },
  associate: ofGuide(200),
  dissociate: ofGuide(204),
  associations: {
    expect: {
      own: own(200, 403),
      team: '401 200 404 404 200 200 404',
      public: '401 200 200 200 200 200 403',
      private: '401 404 404 404 200 404 404',
    },
  },
  courseAssignments: managed(200),
  passingScore: { expect: { any: '401 404 200 200 200 404 403' } },
  attempt: { ...people(201), body: ({ ids }: Cell) => ({ quizid: ids['quizid'] }) },
  attach: {
    ...ofGuide(409),
    body: ({ ids }: Cell) => ({ guideid: ids['guideid'], quizid: ids['quizid'] }),
  },
  save: { ...people(200), ...taken },
  submit: { ...people(200), ...taken },
  cancel: { ...people(200), body: ({ ids }: Cell) => ({ quizid: ids['quizid'] }) },
  submission: {
    expect: {
      own: '- 200 200 200 200 200 -',
      team: '401 200 404 404 200 200 403 404',
      public: '401 404 404 404 200 404 403',
    },
  },
  sessions: people(200),
};
