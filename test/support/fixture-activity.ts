import type {
  ContestedStep,
  GuideConflictView,
  GuideConflicts,
  TextSpan,
} from '#desktop/engine/api/conflict-records.ts';
import type { ActivityItem } from '#desktop/engine/api/sync-records.ts';
import { mergeText } from '#shared/merge/text.ts';
import { must } from '#shared/must.ts';

import grinderGuide from '#server/demo-content/own/guides/9001.json' with { type: 'json' };

const minute = 60_000;
const grinder = 'Bench Grinder Drive Belt Replacement';

/** A waiting entry, as the activity lists it. */
export function activityItem(id: string, minutesAgo: number, rest: Partial<ActivityItem>): ActivityItem {
  return {
    id,
    state: 'queued',
    subject: grinder,
    kind: 'guide',
    detail: '',
    at: Date.now() - minutesAgo * minute,
    doneAt: null,
    refusal: null,
    isUnreadable: false,
    waitsFor: null,
    decisions: rest.state === 'needs-decision' ? 1 : 0,
    guideid: null,
    wikiid: null,
    entryid: null,
    call: { method: 'PUT', path: '/user/favorites/guides/9001', body: null },
    ...rest,
  };
}

/** One entry in every state. */
export function busyActivity(): ActivityItem[] {
  return [
    activityItem('conflict:9001', 2, {
      state: 'needs-decision',
      decisions: 3,
      detail: 'title,steps:2',
      guideid: '9001',
      call: { method: 'PATCH', path: '/guides/9001', body: { title: grinder } },
    }),
    activityItem('call-late', 4, {
      state: 'parked',
      kind: 'comment',
      detail: 'The lower screw is a T25, not a T20.',
      guideid: '9001',
      refusal: {
        status: 403,
        message: 'A comment can be changed within five minutes of posting it',
        errors: [],
      },
      call: {
        method: 'PATCH',
        path: '/comments/7001',
        body: { text: 'The lower screw is a T25, not a T20.' },
      },
    }),
    activityItem('call-value', 6, {
      state: 'parked',
      kind: 'work-order',
      subject: 'WO-1042',
      detail: 'Screw torque after refitting (Nm)',
      guideid: '9001',
      entryid: '501',
      refusal: {
        status: 422,
        message: 'The values cannot be saved',
        errors: [{ field: 'fields', message: 'Screw torque after refitting (Nm) is at most 3' }],
      },
      call: { method: 'POST', path: '/work_log/501/data', body: { fields: { 97002: '7' }, at: 1 } },
    }),
    activityItem('call-new', 8, {
      state: 'parked',
      subject: 'Dressing a worn wheel',
      detail: 'title,category,steps:4',
      guideid: 'tmp:wheel',
      refusal: {
        status: 422,
        message: 'The guide cannot be saved',
        errors: [{ field: 'category', message: 'There is no category "Wheels"; names are case sensitive' }],
      },
      call: { method: 'POST', path: '/guides', body: { title: 'Dressing a worn wheel', category: 'Wheels' } },
    }),
    activityItem('call-order', 9, {
      kind: 'work-order',
      subject: 'WO-1050',
      detail: 'start',
      waitsFor: 'call-new',
      guideid: 'tmp:wheel',
      entryid: 'tmp:order',
      call: { method: 'POST', path: '/work_log', body: { guideid: 'tmp:wheel', workorderid: 'WO-1050' } },
    }),
    activityItem('call-frozen', 15, {
      state: 'needs-decision',
      kind: 'work-order',
      subject: 'WO-1031',
      detail: 'finish',
      guideid: '9001',
      entryid: '503',
      call: { method: 'POST', path: '/work_log/503/finish', body: { at: 1 } },
    }),
    activityItem('call-photo', 20, {
      state: 'sending',
      kind: 'picture',
      detail: 'belt.jpg',
      call: { method: 'POST', path: '/user/media/images', body: null },
    }),
    activityItem('call-comment', 30, {
      kind: 'comment',
      detail: 'Seen today too.',
      guideid: '9001',
      call: { method: 'POST', path: '/comments/step/90004', body: { text: 'Seen today too.' } },
    }),
    activityItem('call-favorite', 45, {
      state: 'on-the-server',
      kind: 'favorite',
      detail: 'on',
      guideid: '9001',
      doneAt: Date.now() - 44 * minute,
    }),
  ];
}

function spansOf(base: string, text: string, by: 'mine' | 'theirs'): TextSpan[] {
  const merge = by === 'mine' ? mergeText(base, text, base) : mergeText(base, base, text);
  return merge.spans.map((span): TextSpan => ({ text: span.text, by: span.by === by ? by : 'base' }));
}

const before = 'Remove the three T20 screws of the left guard.';
const mine = 'Remove the four T20 screws of the left guard with a long driver.';
const theirs = 'Remove the three T25 screws of the left guard from top to bottom.';

function conflict(conflictid: string, rest: Partial<GuideConflictView>): GuideConflictView {
  const now = Date.now();
  return {
    conflictid,
    versions: `versions of ${conflictid}`,
    place: { field: 'title' },
    kind: 'words',
    base: before,
    mine: spansOf(before, mine, 'mine'),
    theirs: spansOf(before, theirs, 'theirs'),
    suggestion: [
      { text: 'Remove the ', by: 'base' },
      { text: 'four', by: 'mine' },
      { text: ' ', by: 'base' },
      { text: 'T25', by: 'theirs' },
      { text: ' screws of the left guard', by: 'base' },
      { text: ' with a long driver', by: 'mine' },
      { text: '.', by: 'base' },
    ],
    canKeepBoth: true,
    mineAt: now - 60 * minute,
    theirsAt: now - 25 * minute,
    ...rest,
  };
}

function contestedStep(number: number, title: string, lines: string[]): ContestedStep {
  return {
    key: `9000${number}`,
    number,
    title,
    pictures: [must(grinderGuide.steps[number - 1]?.media.data[0]?.guid, 'the picture of the step')],
    lines: lines.map((words, index) => ({
      id: String(index + 1),
      bullet: 'black',
      level: 0,
      text_raw: words,
    })),
  };
}

/** Seventeen conflicts in six steps of a guide, as two people who edited it offline have them. */
export function manyConflicts(): GuideConflicts {
  const places = [1, 2, 3, 4, 5, 6].flatMap((step) => [1, 2, 3].map((line) => ({ step, line }))).slice(2);
  return {
    ...must(busyConflicts()[0], 'the conflicts of the guide'),
    conflicts: [
      ...places.map(({ step, line }) =>
        conflict(`step:9000${step}/line:${line}/text_raw`, {
          place: { field: 'text_raw', step, stepKey: `9000${step}`, line, lineId: String(line) },
        }),
      ),
      conflict('step:90006/time_estimate', {
        place: { field: 'time_estimate', step: 6, stepKey: '90006' },
        kind: 'value',
        base: '180',
        mine: [{ text: '660', by: 'mine' }],
        theirs: [{ text: '5400', by: 'theirs' }],
        suggestion: [{ text: '5400', by: 'base' }],
        canKeepBoth: false,
      }),
    ],
    steps: [1, 2, 3, 4, 5, 6].map((number) =>
      contestedStep(number, `Part ${number}`, [theirs, theirs, theirs, 'Keep the screws together.']),
    ),
  };
}

/** A guide with conflicts: words, a value, and a deletion. */
export function busyConflicts(): GuideConflicts[] {
  return [
    {
      guideid: '9001',
      title: grinder,
      theirName: 'Ben Okafor',
      conflicts: [
        conflict('step:90002/line:1/text_raw', {
          place: {
            field: 'text_raw',
            step: 2,
            stepKey: '90002',
            stepTitle: 'Remove the left guard',
            line: 1,
            lineId: '1',
          },
        }),
        conflict('difficulty', {
          place: { field: 'difficulty' },
          kind: 'value',
          base: 'Moderate',
          mine: [{ text: 'Easy', by: 'mine' }],
          theirs: [{ text: 'Difficult', by: 'theirs' }],
          suggestion: [{ text: 'Difficult', by: 'base' }],
          canKeepBoth: false,
        }),
        conflict('step:90005/line:3', {
          place: { step: 5, stepKey: '90005', stepTitle: 'Slacken the motor plate', line: 3, lineId: '3' },
          kind: 'deleted-by-them',
          base: 'Keep the washers in order.',
          mine: spansOf('Keep the washers in order.', 'Keep both washers in order.', 'mine'),
          theirs: [],
          suggestion: [{ text: 'Keep both washers in order.', by: 'base' }],
          canKeepBoth: false,
        }),
      ],
      steps: [
        contestedStep(2, 'Remove the left guard', [theirs, 'Keep the screws together.']),
        contestedStep(5, 'Slacken the motor plate', [
          'Loosen the two nuts of the motor plate by one turn.',
          'Slide the motor towards the wheel.',
          'Keep both washers in order.',
        ]),
      ],
      merged: ['text:step 5 line 1', 'changed:title', 'added:step 7 line 2'],
    },
  ];
}
