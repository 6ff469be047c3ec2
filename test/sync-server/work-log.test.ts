import { afterAll, beforeAll, expect, test } from 'vitest';

import type { WorkLogEntry } from '#shared/model/work-log.ts';
import { makeGuide, stepAt } from '#test/support/workshop.ts';
import type { TestPerson } from '#test/support/server.ts';

import { testSync } from './work-log/sync.ts';
import { testValues } from './work-log/values.ts';
import {
  admin,
  ana,
  ben,
  cleo,
  endWorld,
  fieldId,
  form,
  guide,
  move,
  now,
  server,
  start,
  startWorld,
  wait,
} from './work-log/world.ts';

// All tests share one server, because starting it takes longer than most of them.
beforeAll(startWorld);
afterAll(endWorld);

test('a new entry belongs to the caller and is empty', async () => {
  const entry = await start(ben);
  expect(entry).toEqual({
    entryid: entry.entryid,
    guideid: guide.guideid,
    userid: ben.userid,
    workorderid: 'WO-88',
    starttime: now / 1000,
    endtime: null,
    timingid: 1,
    duration: 0,
    active_duration: 0,
    status: 'started',
    cancelled: 0,
    handoffid: null,
    guide_revisionid: guide.guide_revisionid,
    max_form_revisionid: form.form_revisionid,
    work_data: [],
    signoffs: [],
    pause_duration: 0,
    active_stepid: null,
    step_durations: [],
    deviations: 0,
    time_adjusted: false,
    revisions: [
      {
        decision: 'start',
        guide_revisionid: guide.guide_revisionid,
        form_revisionid: form.form_revisionid,
        revision_number: 1,
        revision_date: guide.modified_date,
        userid: ben.userid,
        at: now / 1000,
      },
    ],
  });
});

test('guideid and workorderid may be sent in the query; without one it is 422', async () => {
  const query = await ben.call('POST', `/work_log?guideid=${guide.guideid}&workorderid=WO-1`);
  expect([query.status, query.body]).toMatchObject([201, { workorderid: 'WO-1' }]);
  expect((await ben.call('POST', '/work_log', { guideid: guide.guideid })).status).toBe(422);
  const numbered = await ben.call('POST', '/work_log', { guideid: guide.guideid, workorderid: 88 });
  expect([numbered.status, numbered.body]).toMatchObject([201, { workorderid: '88' }]);
  expect((await ben.call('POST', '/work_log', { workorderid: 'x' })).status).toBe(422);
  expect(
    (await ben.call('POST', '/work_log', { guideid: guide.guideid, workorderid: 'x', colour: 1 })).status,
  ).toBe(422);
  expect((await ben.call('POST', '/work_log', { guideid: 999_999, workorderid: 'x' })).status).toBe(404);
  expect((await fetch(`${server.url}/api/2.0/work_log`, { method: 'POST', body: '{}' })).status).toBe(401);
});

test('pausing, resuming and finishing are counted separately', async () => {
  const entry = await start(ben, { stepid: stepAt(guide, 0) });
  wait(60);
  const second = await move(ben, entry, 'step', { stepid: stepAt(guide, 1) });
  expect(second.body.active_stepid).toBe(stepAt(guide, 1));
  wait(30);
  const paused = await move(ben, entry, 'pause');
  expect(paused.body).toMatchObject({ status: 'paused', active_stepid: null, active_duration: 90 });
  wait(40);
  expect((await ben.call('GET', `/work_log/${entry.entryid}`)).body).toMatchObject({
    duration: 130,
    pause_duration: 40,
  });
  const resumed = await move(ben, entry, 'resume');
  expect(resumed.body).toMatchObject({ status: 'started', active_stepid: stepAt(guide, 1) });
  wait(10);
  const finished = await move(ben, entry, 'finish');
  expect([finished.status, finished.body]).toMatchObject([
    200,
    {
      status: 'complete',
      endtime: now / 1000,
      duration: 140,
      active_duration: 100,
      pause_duration: 40,
      step_durations: [
        { stepid: stepAt(guide, 0), duration: 60 },
        { stepid: stepAt(guide, 1), duration: 40 },
      ],
      time_adjusted: false,
    },
  ]);
});

test('cancelling ends an entry as cancelled', async () => {
  const cancelled = await move(ben, await start(ben), 'cancel');
  expect(cancelled.body).toMatchObject({ status: 'cancelled', cancelled: 1, endtime: now / 1000 });
});

test("work done offline keeps the device's times, and a skewed clock is flagged, not refused", async () => {
  wait(7200);
  const begun = now - 3_600_000;
  const at = { session: 'page-1', offset: 0 };
  const entry = await start(ben, { ...at, at: begun, mono: 1000, guide_revisionid: guide.guide_revisionid });
  const finished = await move(ben, entry, 'finish', { ...at, at: begun + 900_000, mono: 901_000 });
  expect(finished.body).toMatchObject({
    starttime: begun / 1000,
    endtime: begun / 1000 + 900,
    duration: 900,
    time_adjusted: false,
  });
  const ahead = await start(ben, { at: now + 86_400_000, mono: 5, session: 'page-2' });
  expect(ahead).toMatchObject({ starttime: now / 1000, time_adjusted: true });
  const nonsense = await ben.call('POST', '/work_log', {
    guideid: guide.guideid,
    workorderid: 'x',
    mono: -1,
  });
  expect(nonsense.status).toBe(422);
});

test('a transition made impossible by the caller is 422, one made impossible by another person 409 with the entry', async () => {
  const entry = await start(ben);
  expect((await move(ben, entry, 'resume')).status).toBe(422);
  expect((await move(ben, entry, 'assume')).status).toBe(422);
  const finished = await move(admin, entry, 'finish');
  expect(finished.status).toBe(200);
  const late = await move(ben, entry, 'pause');
  expect([late.status, late.body]).toEqual([409, finished.body]);
  const own = await start(ben);
  await move(ben, own, 'finish');
  expect((await move(ben, own, 'finish')).status).toBe(422);
});

test('a suspended entry can be assumed by anyone who sees the guide; the second person gets 409', async () => {
  const entry = await start(ben, { stepid: stepAt(guide, 1) });
  expect((await move(cleo, entry, 'pause')).status).toBe(404);
  const suspended = await move(ben, entry, 'suspend');
  expect(suspended.body).toMatchObject({ status: 'suspended', active_stepid: null, userid: ben.userid });
  expect((await ana.call('GET', `/work_log/${guide.guideid}/suspended`)).body).toMatchObject([
    { entryid: entry.entryid },
  ]);
  expect((await move(cleo, entry, 'finish')).status).toBe(403);
  const assumed = await move(cleo, entry, 'assume');
  expect(assumed.body).toMatchObject({
    status: 'started',
    userid: cleo.userid,
    active_stepid: stepAt(guide, 1),
  });
  expect(assumed.body.handoffid).toBeGreaterThan(0);
  const second = await move(ana, entry, 'assume');
  expect([second.status, second.body]).toEqual([409, assumed.body]);
  const former = await move(ben, entry, 'finish');
  expect([former.status, former.body.userid]).toEqual([409, cleo.userid]);
  expect((await ana.call('GET', `/work_log/${guide.guideid}/suspended`)).body).toEqual([]);
  expect((await move(cleo, entry, 'finish')).status).toBe(200);
});

testValues();

test('a stale lasttimingid is 409 with the entry', async () => {
  const entry = await start(ben);
  await move(ben, entry, 'pause');
  const late = await move(ben, entry, 'stepData', {
    fields: { [fieldId('Result')]: 'fail' },
    lasttimingid: entry.timingid,
  });
  expect([late.status, late.body.status, late.body.work_data]).toEqual([409, 'paused', []]);
});

test('any former revision of the guide may be named; another is 422', async () => {
  const own = await makeGuide(ana);
  const edited = await ana.client.guides.patch({
    params: { guideid: own.guideid },
    revisionid: own.revisionid,
    body: { summary: 'New' },
  });
  const old = await start(ben, { guideid: own.guideid, guide_revisionid: own.guide_revisionid });
  expect(old.guide_revisionid).toBe(own.guide_revisionid);
  const byRevision = await start(ben, { guideid: own.guideid, guide_revisionid: own.revisionid });
  expect(byRevision.guide_revisionid).toBe(own.guide_revisionid);
  expect((await start(ben, { guideid: own.guideid })).guide_revisionid).toBe(edited.guide_revisionid);
  const never = await ben.call('POST', '/work_log', {
    guideid: own.guideid,
    workorderid: 'x',
    guide_revisionid: 999_999,
  });
  expect(never.status).toBe(422);
});

test('work begun while the guide was visible is accepted after access is lost', async () => {
  const own = await makeGuide(ana);
  const running = await start(ben, { guideid: own.guideid });
  const hidden = await ana.client.guides.unpublish({
    params: { guideid: own.guideid },
    revisionid: own.revisionid,
  });
  expect((await ben.call('GET', `/guides/${own.guideid}`)).status).toBe(404);
  expect((await move(ben, running, 'finish')).status).toBe(200);
  const offline = await start(ben, { guideid: own.guideid, guide_revisionid: own.guide_revisionid });
  expect(offline.status).toBe('started');
  const body = { guideid: own.guideid, workorderid: 'x' };
  expect((await ben.call('POST', '/work_log', body)).status).toBe(404);
  const unseen = await ben.call('POST', '/work_log', { ...body, guide_revisionid: hidden.guide_revisionid });
  expect(unseen.status).toBe(404);
});

test('lists are pages with a total, filtered, and contain only visible entries', async () => {
  const own = await makeGuide(ana);
  const made = [
    await start(ben, { guideid: own.guideid }),
    await start(cleo, { guideid: own.guideid, workorderid: 'WO-9' }),
  ];
  const ids = made.map((one) => one.entryid);
  const list = async (person: TestPerson, query: string) =>
    (await person.call('GET', `/work_log?guideid=${own.guideid}&${query}`)).body as {
      results: WorkLogEntry[];
    };
  expect(await list(admin, 'order=DESC&limit=1')).toMatchObject({
    results: [{ entryid: ids[1] }],
    offset: 0,
    limit: 1,
    totalResults: 2,
    moreResults: true,
  });
  expect(await list(admin, 'offset=1')).toMatchObject({ results: [{ entryid: ids[1] }], moreResults: false });
  expect(await list(ben, '')).toMatchObject({ results: [{ entryid: ids[0] }], totalResults: 1 });
  expect(await list(admin, `userid=${cleo.userid}`)).toMatchObject({ totalResults: 1 });
  expect(await list(admin, 'workorderid=WO-9')).toMatchObject({
    results: [{ entryid: ids[1] }],
    totalResults: 1,
  });
  expect((await ben.call('GET', `/work_log/${ids[1]}`)).status).toBe(404);
  expect((await ben.call('GET', '/work_log/999999')).status).toBe(404);
  expect((await ben.call('GET', '/work_log?limit=0')).status).toBe(422);
});

test('an entry is deleted by its holder or an administrator', async () => {
  const entry = await start(ben);
  await move(ben, entry, 'suspend');
  await move(cleo, entry, 'assume');
  expect((await ben.call('DELETE', `/work_log/${entry.entryid}`)).status).toBe(403);
  expect((await cleo.call('DELETE', `/work_log/${entry.entryid}`)).status).toBe(204);
  expect((await cleo.call('GET', `/work_log/${entry.entryid}`)).status).toBe(404);
  expect((await admin.call('DELETE', `/work_log/${(await start(ben)).entryid}`)).status).toBe(204);
});

test('refusals come in order: 401, 404, 403, 422, 409', async () => {
  const entry = await start(ben);
  const anonymous = await fetch(`${server.url}/api/2.0/work_log/${entry.entryid}/pause`, {
    method: 'POST',
    body: '{"x":1}',
  });
  expect(anonymous.status).toBe(401);
  expect((await move(cleo, entry, 'pause', { x: 1 })).status).toBe(404);
  await move(ben, entry, 'suspend');
  expect((await move(cleo, entry, 'pause', { x: 1 })).status).toBe(403);
  await move(cleo, entry, 'assume');
  expect((await move(ben, entry, 'finish', { x: 1 })).status).toBe(422);
  expect((await move(ben, entry, 'finish')).status).toBe(409);
  expect((await ben.call('GET', '/work_log/999999/suspended')).status).toBe(404);
});

testSync();
