import type { comments } from '#shared/api/comments.ts';
import type { deviations } from '#shared/api/deviations.ts';
import type { media } from '#shared/api/media.ts';
import type { plannedOrders } from '#shared/api/planned-orders.ts';
import type { posts } from '#shared/api/posts.ts';
import type { reports } from '#shared/api/reports.ts';
import type { shiftSummaries } from '#shared/api/shift-summaries.ts';
import type { stepForms } from '#shared/api/step-forms.ts';
import type { tracing } from '#shared/api/tracing.ts';
import type { workLog } from '#shared/api/work-log.ts';

import {
  administrators,
  authors,
  everybody,
  guideEdit,
  guideRead,
  guideUse,
  moderators,
  ofOthers,
  own,
  signedIn,
  type Cell,
  type Row,
} from './row.ts';
import type { RowsOf } from './table.ts';

/** Changing the state of an entry: one's own; suspended entries of others are visible but cannot be changed. */
const move: Row = { expect: { ...ofOthers(422), own: own(422) } };

export const workLogRows: RowsOf<typeof workLog> = {
  list: { expect: { any: signedIn(200) } },
  read: { expect: guideUse(200) },
  record: { expect: guideUse(200) },
  create: {
    expect: guideUse(201),
    body: ({ ids }: Cell) => ({ guideid: ids['guideid'], workorderid: 'WO' }),
  },
  finish: move,
  cancel: move,
  pause: move,
  resume: move,
  suspend: move,
  assume: { expect: { ...guideUse(422), lost: administrators(422) } },
  step: move,
  stepData: move,
  revision: move,
  confirm: {
    expect: {
      ...guideUse(422),
      own: own(422, 403),
      team: '401 422 404 404 422 422 404',
      public: '401 422 422 422 422 422 403',
    },
  },
  confirmHere: { ...move, ids: ({ world }) => ({ userid: world.helper.userid }) },
  sign: { expect: { ...ofOthers(422), own: own(422, 403) } },
  remove: {
    expect: { own: own(204, 403), public: administrators(204), private: '401 404 404 404 - 404 404' },
    fresh: async ({ world, role, ownership }) => {
      const holder = ownership === 'own' ? role : 'writer';
      const entryid = await world.startEntry(holder, world.publicGuide);
      await world.suspend(holder, entryid);
      return { ids: { entryid } };
    },
  },
  suspended: { expect: guideUse(200) },
};

export const deviationRows: RowsOf<typeof deviations> = {
  list: { expect: { any: signedIn(200) } },
  read: { expect: guideUse(200) },
  create: {
    expect: { ...ofOthers(422), own: own(422) },
    body: ({ ids }: Cell) => ({ entryid: ids['entryid'] }),
  },
  decide: { expect: { ...ofOthers(422), own: '- 403 403 403 422 403 403' } },
};

const ofOtherPlan = (status: number): string => `401 404 404 404 ${status} 404 404`;
/**
 * Who is to do it sees it; leads and administrators change it. Owners of teams plan also for themselves: the team owner, and
 * author and moderator, who have created a team in the rows of teams.
 */
const changePlan: Row = {
  expect: {
    own: '- 403 422 422 422 422 403',
    team: ofOtherPlan(422),
    public: ofOtherPlan(422),
    private: ofOtherPlan(422),
  },
};

export const plannedOrderRows: RowsOf<typeof plannedOrders> = {
  list: { expect: { any: signedIn(200) } },
  read: {
    expect: { own: own(200), team: ofOtherPlan(200), public: ofOtherPlan(200), private: ofOtherPlan(200) },
  },
  create: {
    expect: { any: administrators(201) },
    body: ({ ids, world }: Cell) => ({
      guideid: ids['guideid'],
      workorderid: 'WO',
      userid: world.person('writer').userid,
    }),
  },
  followUp: {
    expect: {
      own: '- 403 422 422 422 422 403',
      team: '401 403 404 404 422 422 404',
      public: '401 403 422 422 422 422 403',
      private: ofOtherPlan(422),
    },
  },
  edit: changePlan,
  withdraw: changePlan,
};

export const tracingRows: RowsOf<typeof tracing> = {
  trace: { expect: { any: signedIn(200) }, query: 'number=SN-1' },
  numbers: { expect: { any: signedIn(200) }, query: 'prefix=SN' },
};

/** Everybody reads reports, which count what they may see. */
const reportRow: Row = { expect: { any: signedIn(200) } };
export const reportRows: RowsOf<typeof reports> = {
  durations: reportRow,
  firstPassYield: reportRow,
  deviations: reportRow,
  numberFields: reportRow,
  numbers: { ...reportRow, query: 'field_guid=f' },
};

/** Of the caller's own team, and of another one. Its lead, its members except stations, and administrators read it. */
export const shiftSummaryRows: RowsOf<typeof shiftSummaries> = {
  list: { expect: { any: signedIn(200) } },
  read: { expect: { team: '401 200 404 404 200 200 404', public: '401 404 404 404 200 404 404' } },
  create: {
    expect: { team: '401 403 403 403 201 201 403', public: administrators(201) },
    body: ({ ids }: Cell) => ({ teamid: ids['teamid'], from: 1_767_000_000, to: 1_767_020_000 }),
  },
};

export const stepFormRows: RowsOf<typeof stepForms> = {
  ofStep: { expect: guideRead(200) },
  ofFormRevision: { expect: guideRead(200) },
  ofFieldRevision: { expect: guideRead(200) },
  ofGuide: { expect: guideRead(200) },
  save: { expect: guideEdit(422) },
};

/** A comment younger than five minutes, on the same guide. */
const freshComment: NonNullable<Row['fresh']> = async ({ world, role, ownership, ids }) => {
  const writer = ownership === 'own' ? role : 'writer';
  return { ids: { commentid: await world.comment(writer, Number(ids['guideid'])) } };
};

type IdsOf = NonNullable<Row['ids']>;

const ofFeedback: IdsOf = ({ ids }) => ({ commentid: Number(ids['feedbackid']) });

/** Feedback on a step of the same guide: open, or closed. */
function freshFeedback(isDone: boolean): NonNullable<Row['fresh']> {
  return async ({ world, role, ownership, ids }) => {
    const giver = ownership === 'own' ? role : 'writer';
    const commentid = await world.feedback(giver, Number(ids['stepid']));
    if (isDone) await world.admin('PUT', `/comments/${commentid}/done`);
    return { ids: { commentid } };
  };
}

const onStep: IdsOf = ({ ids }) => ({ context: 'step', contextid: Number(ids['stepid']) });
/** Other commented records: pages and posts, which everyone sees. */
const onPages: IdsOf[] = [
  ({ world }) => ({ context: 'wiki', contextid: world.pages.wiki }),
  ({ world }) => ({ context: 'info', contextid: world.pages.info }),
  ({ ids }) => ({ context: 'story', contextid: Number(ids['storyid']) }),
  ({ ids }) => ({ context: 'post', contextid: Number(ids['postid']) }),
];

export const commentRows: RowsOf<typeof comments> = {
  list: { expect: { any: everybody(200) } },
  read: { expect: guideRead(200) },
  ofDocument: [
    { expect: guideRead(200) },
    { expect: guideRead(200), ids: onStep },
    ...onPages.map((ids): Row => ({ expect: { public: everybody(200) }, ids })),
  ],
  create: [
    { expect: guideUse(201), body: { text: 'Hm' } },
    { expect: guideUse(201), body: { text: 'Hm' }, ids: onStep },
    ...onPages.map((ids): Row => ({ expect: { public: signedIn(201) }, body: { text: 'Hm' }, ids })),
  ],
  patch: { expect: { ...ofOthers(200), own: own(200) }, body: { text: 'Edited' }, fresh: freshComment },
  remove: {
    expect: { ...ofOthers(204), own: own(204) },
    fresh: freshComment,
  },
  closeFeedback: { expect: guideEdit(204), ids: ofFeedback, fresh: freshFeedback(false) },
  reopenFeedback: { expect: guideEdit(204), ids: ofFeedback, fresh: freshFeedback(true) },
};

const noFile = { expect: { any: signedIn(422) }, body: '' };

export const mediaRows: RowsOf<typeof media> = {
  listImages: { expect: { any: signedIn(200) } },
  addImage: noFile,
  removeImages: { expect: { any: '401 204 204 204 204 204 403' } },
  removeImagesByQuery: { expect: { any: '401 204 204 204 204 204 403' }, query: 'imageids=999999' },
  copyImage: {
    expect: {
      own: own(200, 403),
      public: '401 200 200 200 200 200 403',
      private: '401 404 404 404 200 404 403',
    },
  },
  rotateImage: {
    expect: { own: own(422, 403), private: '401 404 404 404 422 404 404' },
    body: { degrees: 90 },
  },
  readRotation: { expect: { own: own(404), private: signedIn(404) } },
  readRotationJob: { expect: { any: signedIn(404) } },
  listVideos: { expect: { any: signedIn(200) } },
  addVideo: noFile,
  listEmbeds: { expect: { any: signedIn(200) } },
  listDocuments: { expect: { any: signedIn(200) } },
  addDocument: noFile,
  readImage: {
    expect: { own: own(200), public: everybody(200), private: '404 404 404 404 200 404 404' },
  },
  readVideo: { expect: { own: own(200), private: '404 404 404 404 200 404 404' } },
  readDocument: {
    expect: { own: own(200), public: everybody(200), private: '404 404 404 404 200 404 404' },
  },
};

const news = { title: 'Belt', text: 'It held.' };
const story = { title: 'Belt', body: 'It held.' };

function freshPost(kind: 'stories' | 'posts', id: 'storyid' | 'postid'): NonNullable<Row['fresh']> {
  return async ({ world, role, ownership }) => {
    const by = ownership === 'own' ? role : 'writer';
    // One story a minute is allowed.
    world.passSeconds(61);
    const made = await world.as<Record<string, number>>(
      by,
      'POST',
      `/${kind}`,
      kind === 'posts' ? news : story,
    );
    return { ids: { [id]: made[id] ?? 0 } };
  };
}

export const postRows: RowsOf<typeof posts> = {
  listStories: { expect: { any: everybody(200) } },
  readStory: { expect: { public: everybody(200) } },
  createStory: { expect: { any: '401 201 201 201 201 201 403' }, body: story },
  patchStory: {
    expect: { own: '- 200 200 200 200 200 -', public: moderators(200) },
    body: { title: 'Bearing' },
    fresh: freshPost('stories', 'storyid'),
  },
  removeStory: {
    expect: { own: '- 204 204 204 204 204 -', public: moderators(204) },
    fresh: freshPost('stories', 'storyid'),
  },
  listPosts: { expect: { any: everybody(200) } },
  readPost: { expect: { public: everybody(200) } },
  createPost: { expect: { any: authors(201) }, body: news },
  removePost: {
    expect: { own: '- - 204 204 204 - -', public: moderators(204) },
    fresh: freshPost('posts', 'postid'),
  },
};
