import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import { must } from '#shared/must.ts';
import { unannouncedProtocol } from '#shared/sync/protocol.ts';
import { movieFile } from '#test/support/media-files.ts';
import { makeForm, makeGuide, seenBy, stepAt, workshopClient } from '#test/support/workshop.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

const eight = Date.UTC(2026, 2, 2, 8);
let now = eight;
let server: TestServer;
let ana: TestPerson;
let ben: TestPerson;
let cleo: TestPerson;
let admin: TestPerson;
let guide: Guide;
let form: StepForm;

beforeAll(async () => {
  server = await startServer({ now: () => now });
  await server.category('Bench Grinder');
  ana = await server.person('Ana');
  ben = await server.person('Ben', ['User']);
  cleo = await server.person('Cleo', ['User']);
  admin = await server.person('Ada', ['User', 'Admin']);
  guide = await makeGuide(ana);
  form = await makeForm(ana, guide);
});
afterAll(() => server[Symbol.asyncDispose]());

function wait(seconds: number): void {
  now += seconds * 1000;
}

async function start(person: TestPerson, more: object = {}): Promise<WorkLogEntry> {
  const answer = await person.call('POST', '/work_log', {
    guideid: guide.guideid,
    workorderid: 'WO-88',
    ...more,
  });
  expect([answer.status, answer.body]).toMatchObject([201, {}]);
  return answer.body;
}

type Answer = { status: number; body: WorkLogEntry };

async function move(
  person: TestPerson,
  entry: WorkLogEntry,
  name: string,
  body: object = {},
): Promise<Answer> {
  return person.call(
    name === 'step' || name === 'stepData' ? 'PUT' : 'POST',
    `/work_log/${entry.entryid}/${name}`,
    body,
  );
}

function fieldId(label: string): number {
  return must(
    form.fields.find((one) => one.label === label),
    label,
  ).field_revisionid;
}

async function upload(person: TestPerson): Promise<number> {
  const { default: sharp } = await import('sharp');
  const body = await sharp({ create: { width: 60, height: 60, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  const made = await workshopClient(server, person).media.addImage({
    query: { file: 'photo.png' },
    body: new Uint8Array(body),
  });
  return made.image.id;
}

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
    time_adjusted: false,
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

test('values are strings, checked against their field, and can be overwritten', async () => {
  const entry = await start(ben);
  const photo = await upload(ben);
  const saved = await move(ben, entry, 'stepData', {
    fields: { [fieldId('Torque')]: 12.5, [fieldId('Result')]: 'pass', [fieldId('Photo')]: photo },
    lasttimingid: entry.timingid,
  });
  const common = { stepid: stepAt(guide, 0), step_number: 1 };
  expect([saved.status, saved.body.work_data]).toMatchObject([
    200,
    [
      {
        label: 'Torque',
        value: '12.5',
        field_revisionid: fieldId('Torque'),
        field_type: 'Numeric Input',
        ...common,
      },
      { label: 'Result', value: 'pass', field_type: 'Radios', ...common },
      { label: 'Photo', value: String(photo), field_type: 'Image', image_src: { id: photo }, ...common },
    ],
  ]);
  const again = await move(ben, entry, 'stepData', { fields: { [fieldId('Torque')]: '13' } });
  expect(again.body.work_data.map((one) => one.value)).toEqual(['13', 'pass', String(photo)]);
});

test('WORK-LOG-1 a video record has its address and its poster picture', async () => {
  const own = await makeGuide(ana);
  const fields = [{ field_type: 'Video', label: 'Run-out' }];
  const asked = await ana.call('POST', `/step_forms/${stepAt(own, 0)}`, { fields });
  const field = must((asked.body as StepForm).fields[0], 'the field').field_revisionid;
  const film = await workshopClient(server, ben).media.addVideo({
    query: { file: 'run-out.mp4' },
    body: movieFile('isom'),
  });
  const entry = await start(ben, { guideid: own.guideid });
  const saved = await move(ben, entry, 'stepData', { fields: { [field]: film.videoid } });
  const [value] = saved.body.work_data;
  const url = must(film.encodings[0], 'an encoding').url;
  expect(value).toMatchObject({
    field_type: 'Video',
    value: String(film.videoid),
    video_src: url,
    video_data: {
      type: 'GuideVideoObject',
      videoid: film.videoid,
      srcid: null,
      active: true,
      imageid: film.image?.image.id,
      video_urls: { mp4_720: url },
      mini: film.image?.image.mini,
      '140x105': film.image?.image['140x105'],
    },
  });
});

test('bad values are 422, each with its reason', async () => {
  const entry = await start(ben);
  const theirs = await upload(ana);
  const refused = await ben.call('PUT', `/work_log/${entry.entryid}/stepData`, {
    fields: {
      [fieldId('Torque')]: '99',
      [fieldId('Result')]: 'perhaps',
      [fieldId('Photo')]: theirs,
      999999: 'x',
    },
  });
  expect(refused.status).toBe(422);
  expect((refused.body as { errors: { message: string }[] }).errors.map((error) => error.message)).toEqual([
    'Torque is at most 40',
    'Result is one of: pass, fail',
    'Photo: the file is not in your media manager',
    'The guide never had this field',
  ]);
  expect((await ben.call('GET', `/work_log/${entry.entryid}`)).body).toMatchObject({ work_data: [] });
});

test("a field of another guide is refused; an older revision of this guide's field is accepted", async () => {
  const other = await makeGuide(ana);
  const otherForm = await makeForm(ana, other);
  const entry = await start(ben, { guideid: other.guideid });
  const torque = must(otherForm.fields[0], 'the torque').field_revisionid;
  const edited = await ana.call('POST', `/step_forms/${stepAt(other, 0)}`, {
    fields: otherForm.fields.map((one) => ({ ...one, label: `${one.label}!` })),
    form_revisionid: otherForm.form_revisionid,
  });
  expect(edited.status).toBe(200);
  expect((await move(ben, entry, 'stepData', { fields: { [fieldId('Torque')]: 1 } })).status).toBe(422);
  const saved = await move(ben, entry, 'stepData', { fields: { [torque]: 1 } });
  expect(saved.body.work_data).toMatchObject([{ label: 'Torque', value: '1' }]);
});

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

test('a whole work order done offline is sent as one batch with temporary ids', async () => {
  wait(3600);
  const key = 'offline-entry-0001';
  const begun = now - 1_800_000;
  const moment = (mono: number): object => ({ at: begun + mono, mono, session: 'offline', offset: 0 });
  const call = (id: string, method: string, path: string, body: object): object => ({
    id,
    lane: 'entry',
    method,
    path,
    body,
  });
  const entry = `/work_log/tmp:${key}`;
  const response = await fetch(`${server.url}/sync/1/batch`, {
    method: 'POST',
    headers: { Authorization: `api ${ben.token}` },
    body: JSON.stringify({
      protocol: unannouncedProtocol,
      calls: [
        call(key, 'POST', '/work_log', {
          guideid: guide.guideid,
          workorderid: 'WO-77',
          guide_revisionid: guide.guide_revisionid,
          ...moment(0),
        }),
        call('offline-step-0001', 'PUT', `${entry}/step`, { stepid: stepAt(guide, 0), ...moment(1000) }),
        call('offline-data-0001', 'PUT', `${entry}/stepData`, {
          fields: { [fieldId('Result')]: 'pass' },
          ...moment(300_000),
        }),
        call('offline-stop-0001', 'POST', `${entry}/finish`, moment(600_000)),
      ],
    }),
  });
  const lines = (await response.text()).trim().split('\n').slice(1);
  const results = lines.map(
    (line) => JSON.parse(line) as { status: number; created: Record<string, number | string> },
  );
  expect(results.map((result) => result.status)).toEqual([201, 200, 200, 200]);
  const entryid = Number(must(results[0], 'the first result').created[`tmp:${key}`]);
  expect((await ben.call('GET', `/work_log/${entryid}`)).body).toMatchObject({
    entryid,
    status: 'complete',
    starttime: begun / 1000,
    duration: 600,
    step_durations: [{ stepid: stepAt(guide, 0), duration: 599 }],
    work_data: [{ label: 'Result', value: 'pass' }],
    time_adjusted: false,
  });
});

test('a repeated call takes effect once and answers the entry as it is now', async () => {
  const headers = { 'Idempotency-Key': 'start-entry-1' };
  const body = { guideid: guide.guideid, workorderid: 'WO-2' };
  const first = await ben.call('POST', '/work_log', body, headers);
  const entry = first.body as WorkLogEntry;
  const pauseKey = { 'Idempotency-Key': 'pause-entry-1' };
  const path = `/work_log/${entry.entryid}`;
  expect((await ben.call('POST', `${path}/pause`, {}, pauseKey)).status).toBe(200);
  expect((await ben.call('POST', `${path}/pause`, {}, pauseKey)).status).toBe(200);
  const replay = await ben.call('POST', '/work_log', body, headers);
  expect([replay.status, replay.body]).toMatchObject([201, { entryid: entry.entryid, status: 'paused' }]);
  const row = (await seenBy(server, ben, 'workLog')).find((one) => one.id === String(entry.entryid));
  expect(row?.doc).toMatchObject({ key: 'start-entry-1', events: [{ type: 'start' }, { type: 'pause' }] });
});

test('the feed shows an entry to its holders and administrators, and a suspended one to everyone who sees the guide', async () => {
  const own = await makeGuide(ana);
  const entry = await start(ben, { guideid: own.guideid });
  const sees = async (person: TestPerson): Promise<boolean> =>
    (await seenBy(server, person, 'workLog')).some((row) => row.id === String(entry.entryid));
  expect([await sees(ben), await sees(admin), await sees(cleo)]).toEqual([true, true, false]);
  await move(ben, entry, 'suspend');
  expect(await sees(cleo)).toBe(true);
  await ana.client.guides.unpublish({ params: { guideid: own.guideid }, revisionid: own.revisionid });
  expect([await sees(ben), await sees(ana), await sees(cleo)]).toEqual([true, true, false]);
  expect((await move(cleo, entry, 'assume')).status).toBe(404);
  expect((await move(ben, entry, 'assume')).status).toBe(403);
});
