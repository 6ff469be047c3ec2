import sharp from 'sharp';
import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { emptyStep } from '#shared/rules/guide-content.ts';
import { oldEngine } from '#test/support/old-engine/load.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { makeForm, makeGuide } from '#test/support/workshop.ts';

/** A server used by current clients and an old device. */
async function world(server: TestServer) {
  await server.category('Bench Grinder');
  const ana = await server.person('Ana', ['User', 'Author']);
  const ben = await server.person('Ben', ['User', 'Author']);
  const { newDisk, startWholeDevice } = await oldEngine();
  return { ana, ben, start: (url: () => string | null) => startWholeDevice(url, newDisk()) };
}

test('PROTOCOL-8 a protocol 5 device reads from, follows and writes to a current server', async () => {
  await using server = await startServer();
  const { ana, ben, start } = await world(server);
  const guide = await makeGuide(ana);
  await makeForm(ana, guide);
  const guideid = String(guide.guideid);
  let url: string | null = server.url;
  await using device = await start(() => url);
  const { actions } = device;
  await device.signIn('Ana');
  await device.inSync();
  expect((await device.shows((one) => one !== null, 'guide', guideid))?.title).toBe('Belt');

  // Events.
  await ben.client.guides.create({
    body: { category: 'Bench Grinder', type: 'repair', title: 'By Ben', public: true },
  });
  await device.shows(({ guides }) => guides.some(({ title }) => title === 'By Ben'), 'library', {
    category: null,
  });

  // Offline calls and files.
  url = null;
  const photo = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#3c3' } })
    .png()
    .toBuffer();
  const made = await actions.openDraft(null);
  await actions.editDraft(made, { op: 'setText', field: 'title', value: 'Made by an old app' });
  await actions.editDraft(made, { op: 'setField', field: 'category', value: 'Bench Grinder' });
  await actions.editDraft(made, { op: 'setField', field: 'type', value: 'repair' });
  await actions.editDraft(made, { op: 'insertStep', step: emptyStep('made-then'), index: 0 });
  await actions.addDraftPicture(made, 'made-then', new Blob([new Uint8Array(photo)]), 'step.png');
  await actions.saveDraft(made);
  await actions.comment('guide', made, 'On what an old app made');
  const order = await actions.startWorkOrder(guideid, 'WO-1');
  const played = must(await device.look('guide', guideid), 'the guide');
  const torque = must(played.steps[0]?.fields[0], 'the field of the torque');
  await actions.recordValue(order, torque, '12.5');
  await actions.moveWorkOrder(order, 'finish');
  ({ url } = server);
  actions.syncNow();
  await device.inSync();
  const activity = await device.look('activity');
  expect(activity.filter(({ state }) => state !== 'on-the-server')).toEqual([]);
  const { guides } = await device.look('library', { category: null });
  const there = must(
    guides.find(({ title }) => title === 'Made by an old app'),
    'the guide',
  );
  const { steps } = (await ana.call('GET', `/guides/${there.guideid}`)).body as {
    steps: { media: { data: unknown[] } }[];
  };
  expect(steps[0]?.media.data).toHaveLength(1);
  expect(JSON.stringify((await ana.call('GET', '/work_log')).body)).toContain('12.5');
});

test('PROTOCOL-8 a save by a protocol 5 device merges with a concurrent save, or asks', async () => {
  await using server = await startServer();
  const { ana, ben, start } = await world(server);
  const merging = await makeGuide(ana);
  const contested = await makeGuide(ana);
  let url: string | null = server.url;
  await using device = await start(() => url);
  const { actions } = device;
  await device.signIn('Ana');
  await device.inSync();
  url = null;
  for (const { guideid } of [merging, contested]) {
    await device.shows((one) => one !== null, 'guide', String(guideid));
    await actions.openDraft(String(guideid));
    await actions.editDraft(String(guideid), { op: 'setText', field: 'title', value: 'As Ana says' });
    await actions.saveDraft(String(guideid));
  }
  for (const [guide, body] of [
    [merging, { summary: 'As Ben says' }],
    [contested, { title: 'As Ben says' }],
  ] as const)
    await ben.client.guides.patch({
      params: { guideid: guide.guideid },
      revisionid: guide.revisionid,
      body,
    });
  ({ url } = server);
  actions.syncNow();
  await device.inSync();
  const read = async (guideid: number): Promise<unknown> =>
    (await ana.call('GET', `/guides/${guideid}`)).body;
  expect(await read(merging.guideid)).toMatchObject({ title: 'As Ana says', summary: 'As Ben says' });
  const decision = must(await device.look('conflict', String(contested.guideid)), 'the decision');
  const { conflictid } = must(decision.conflicts[0], 'a conflict');
  await actions.resolveConflict(String(contested.guideid), conflictid, { take: 'mine' });
  await device.inSync();
  expect(await read(contested.guideid)).toMatchObject({ title: 'As Ana says' });
});

test('PROTOCOL-3 PROTOCOL-8 data written by a newer device stays when a protocol 5 device edits the same record', async () => {
  await using server = await startServer();
  const { ana, ben, start } = await world(server);
  const guide = await makeGuide(ana);
  const guideid = String(guide.guideid);
  const rules = await ana.call('POST', '/wikis', { namespace: 'INFO', title: 'Rules', contents: 'Goggles.' });
  const page = rules.body as { wikiid: number; revisionid: number };
  await ana.call('PATCH', `/users/${ana.userid}`, { about: 'By a new app' });
  let url: string | null = server.url;
  await using device = await start(() => url);
  const { actions } = device;
  await device.signIn('Ana');
  await device.inSync();
  url = null;
  await device.shows((one) => one !== null, 'guide', guideid);
  await actions.openDraft(guideid);
  await actions.editDraft(guideid, { op: 'setText', field: 'title', value: 'By an old app' });
  const draft = must(await device.look('draft', guideid), 'the draft');
  const step = must(draft.content.steps[0], 'the first step');
  const line = must(step.lines[0], 'its line');
  await actions.editDraft(guideid, {
    op: 'setLineText',
    step: step.key,
    line: line.id,
    value: 'Unplug it first',
  });
  await actions.saveDraft(guideid);
  const shown = must(await device.look('page', String(page.wikiid)), 'the page');
  await actions.savePage(String(page.wikiid), { ...shown.text, contents: 'Goggles, always.' });
  await actions.saveProfile({ location: 'Hall 1' });
  const [first, second] = guide.steps;
  await ben.client.guides.patch({
    params: { guideid: guide.guideid },
    revisionid: guide.revisionid,
    body: {
      conclusion: 'By a new app',
      difficulty: 'Easy',
      tools: [{ name: 'Key', quantity: 2, notes: 'Size 5' }],
      steps: [
        {
          stepid: must(first, 'a step').stepid,
          revisionid: must(first, 'a step').revisionid,
          title: 'Open it',
        },
        {
          stepid: must(second, 'a step').stepid,
          revisionid: must(second, 'a step').revisionid,
          time_estimate: 60,
        },
      ],
    },
  });
  await ben.call('PATCH', `/wikis/INFO/Rules?revisionid=${page.revisionid}`, { description: 'By a new app' });
  ({ url } = server);
  actions.syncNow();
  await device.inSync();
  expect(await device.look('syncState')).toMatchObject({ pending: 0, parked: 0, conflicts: 0 });
  expect((await ana.call('GET', `/guides/${guideid}`)).body).toMatchObject({
    title: 'By an old app',
    conclusion_raw: 'By a new app',
    difficulty: 'Easy',
    tools: [{ text: 'Key', quantity: 2, notes: 'Size 5' }],
    steps: [
      { title: 'Open it', lines: [{ text_raw: 'Unplug it first' }] },
      { title: 'Close', time_estimate: 60 },
    ],
  });
  expect((await ana.call('GET', '/wikis/INFO/Rules')).body).toMatchObject({
    contents_raw: 'Goggles, always.',
    description: 'By a new app',
  });
  expect((await ana.call('GET', '/user')).body).toMatchObject({
    location: 'Hall 1',
    about_raw: 'By a new app',
  });
});
