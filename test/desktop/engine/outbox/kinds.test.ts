import { expect, test } from 'vitest';

import { callKindSpecs, offlineEndpoints, storedKinds } from '#desktop/engine/outbox/kinds/index.ts';
import { mirrorKinds } from '#desktop/engine/storage/mirror-kinds.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { collectionNames } from '#shared/sync/wire.ts';

test('every kind of change in the list of changes has words, and no words are unused', () => {
  const shown = new Set(Object.values(callKindSpecs).map(({ activity }) => activity));
  expect(Object.keys(text.activity).toSorted()).toEqual([...shown].toSorted());
});

test('the kinds that devices store, and the calls that they stand for, stay as they are', () => {
  expect(
    offlineEndpoints.map(({ offline, method, path }) => `${offline} ${method} ${path}`).toSorted(),
    'Journals in the field have these kinds and calls. Add lines; never change or remove one.',
  ).toEqual([
    'comment-add POST /comments/{context}/{contextid}',
    'comment-edit PATCH /comments/{commentid}',
    'comment-remove DELETE /comments/{commentid}',
    'completion DELETE /guides/{guideid}/completed',
    'completion PUT /guides/{guideid}/completed',
    'deviation-decide POST /deviations/{deviationid}/disposition',
    'deviation-report POST /deviations',
    'entry-create POST /work_log',
    'entry-data PUT /work_log/{entryid}/stepData',
    'entry-move POST /work_log/{entryid}/assume',
    'entry-move POST /work_log/{entryid}/cancel',
    'entry-move POST /work_log/{entryid}/finish',
    'entry-move POST /work_log/{entryid}/pause',
    'entry-move POST /work_log/{entryid}/resume',
    'entry-move POST /work_log/{entryid}/suspend',
    'entry-move PUT /work_log/{entryid}/step',
    'entry-revision POST /work_log/{entryid}/revision',
    'favorite DELETE /user/favorites/guides/{guideid}',
    'favorite PUT /user/favorites/guides/{guideid}',
    'feedback-done DELETE /comments/{commentid}/done',
    'feedback-done PUT /comments/{commentid}/done',
    'form-save POST /step_forms/{stepid}',
    'guide-create POST /guides',
    'guide-delete DELETE /guides/{guideid}',
    'guide-publish DELETE /guides/{guideid}/public',
    'guide-publish PUT /guides/{guideid}/public',
    'guide-save PATCH /guides/{guideid}',
    'guide-tag DELETE /guides/{guideid}/tag',
    'guide-tag PUT /guides/{guideid}/tag',
    'membership DELETE /teams/{teamid}/users/{userid}',
    'membership PUT /teams/{teamid}/users/{userid}',
    'planned-create POST /work_orders',
    'planned-edit PATCH /work_orders/{planned_orderid}',
    'planned-follow-up POST /deviations/{deviationid}/follow_up',
    'planned-withdraw POST /work_orders/{planned_orderid}/withdraw',
    'profile-save PATCH /users/{userid}',
    'quiz-begin POST /quizzes/attempt',
    'quiz-cancel POST /quizzes/sessions/cancel',
    'quiz-save POST /quizzes/sessions/save',
    'quiz-submit POST /quizzes/sessions/submit',
    'shift-summary POST /shift_summaries',
    'upload-document POST /user/media/documents',
    'upload-image POST /user/media/images',
    'upload-video POST /user/media/videos',
    'wiki-create POST /wikis',
    'wiki-delete DELETE /wikis/{namespace}/{title}',
    'wiki-patrol POST /wikis/{namespace}/{title}/patrol',
    'wiki-revert POST /wikis/{namespace}/{title}/revert',
    'wiki-save PATCH /wikis/{namespace}/{title}',
    'wiki-tag DELETE /wikis/{namespace}/{title}/tag',
    'wiki-tag PUT /wikis/{namespace}/{title}/tag',
  ]);
});

test('every kind that devices store belongs to an endpoint, except the import of an archive', () => {
  const declared = new Set<string>(offlineEndpoints.map(({ offline }) => offline));
  expect(storedKinds.filter((kind) => !declared.has(kind))).toEqual(['archive-import']);
  expect([...declared].filter((kind) => !(storedKinds as string[]).includes(kind))).toEqual([]);
});

test('only small kinds of records share a collection on the device', () => {
  expect(
    collectionNames.filter((name) => mirrorKinds[name]?.own === undefined),
    'Is the new kind small, and only read by id or as a whole list? Otherwise it needs `own` in mirror-kinds.ts. Are its records the settings of one person? Then it needs `isPersonal`.',
  ).toEqual([
    'people',
    'viewer',
    'training',
    'deviations',
    'plannedOrders',
    'workVersions',
    'releases',
    'releaseTexts',
    'shiftSummaries',
  ]);
});
