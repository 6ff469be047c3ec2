import { expect, test } from 'vitest';
import { z } from 'zod';

import { must } from '#shared/must.ts';
import { movieFile, pdfFile } from '#test/support/media-files.ts';

import type { RestorableServer } from './support/restorable-server.ts';
import { bench, call, tokenOf, type Bench, changeAs, setSummary } from './support/restored-bench.ts';

/** Ben's guide, which gets the next number, and Ben's token. */
async function makeAnother(server: RestorableServer, steps: readonly object[] = []) {
  const token = await tokenOf(server, 'ben@example.com');
  const other = await call(server, token, 'POST', '/guides', {
    category: 'Bench Grinder',
    type: 'repair',
    title: 'Another guide',
    public: true,
    steps,
  });
  return { other, token };
}

test('LEAVING-5 OUTBOX-34 text for a guide forgotten in a restore is kept and never used for the guide that now has its number', async () => {
  await using world = await bench();
  const { server, device } = world;
  const { actions } = device;
  await server.backUp();
  const ben = await tokenOf(server, 'ben@example.com');
  const made = (title: string): Promise<Record<string, unknown>> =>
    call(server, ben, 'POST', '/guides', { category: 'Bench Grinder', type: 'repair', title, public: true });
  const { guideid: number } = await made('Forgotten guide');
  const id = String(number);
  // Its feed position is beyond the one that the restored server gives the other guide.
  for (const summary of ['One', 'Two', 'Three']) await changeAs(server, 'ben@example.com', id, { summary });
  actions.syncNow();
  await device.shows((guide) => guide?.summary === 'Three', 'guide', id);
  await device.inSync();
  world.passes = () => false;
  await actions.comment('guide', id, 'For the forgotten guide');
  await setSummary(device, id, 'Saved in the forgotten guide');
  await actions.openDraft(id);
  await actions.editDraft(id, { op: 'setText', field: 'conclusion_raw', value: 'Not saved yet' });
  await server.restore();
  // No client has told the server yet that it lost numbers.
  const { other, token } = await makeAnother(server);
  expect(other['guideid']).toBe(number);
  world.passes = () => true;
  actions.syncNow();

  // The guide of the text has left: only the text stays.
  const mine = ['For the forgotten guide', 'Saved in the forgotten guide', 'Not saved yet'];
  const kept = await device.shows(
    (items) => mine.every((text) => JSON.stringify(items).includes(text)),
    'keptWords',
  );
  expect(JSON.stringify(kept)).not.toContain('Forgotten guide');
  await device.shows(({ pending, parked }) => pending === 0 && parked === kept.length, 'syncState');
  const { guides } = await device.look('library', { category: null });
  expect(guides.find(({ guideid }) => guideid === id)?.title).toBe('Another guide');
  expect(await device.look('draft', id)).toBeNull();
  expect(JSON.stringify(await device.look('activity'))).not.toContain('Forgotten guide');
  const there = JSON.stringify([
    await call(server, token, 'GET', `/guides/${id}`),
    await call(server, token, 'GET', `/comments?context=guide&contextid=${id}`),
  ]);
  expect(there).toContain('Another guide');
  expect(there).not.toMatch(/forgotten/i);
});

/** The ids of the steps of a guide, in order. */
function stepsOf(guide: unknown): number[] {
  const { steps } = z.object({ steps: z.array(z.object({ stepid: z.int() })) }).parse(guide);
  return steps.map(({ stepid }) => stepid);
}

/** Ana's calls of the API. She signs in for every call, because each restore forgets sessions. */
function anaOn({ server, guideid }: Pick<Bench, 'server' | 'guideid'>) {
  const asAna = async (method: string, path: string, body?: object) =>
    call(server, await tokenOf(server, 'ana@example.com'), method, path, body);
  return {
    asAna,
    /** Adds a third step to the guide; returns its number. */
    addStep: async (title: string): Promise<number | undefined> => {
      const { revisionid } = await asAna('GET', `/guides/${guideid}`);
      const path = `/guides/${guideid}/steps?revisionid=${String(revisionid)}`;
      return stepsOf(await asAna('POST', path, { title, lines: [{ text: 'Grease it' }], orderby: 3 })).at(-1);
    },
  };
}

test('OUTBOX-34 a comment on a step forgotten in a restore is never attached to the step that now has its number', async () => {
  await using world = await bench();
  const { server, device, guideid } = world;
  const { actions } = device;
  await server.backUp();
  const ana = await tokenOf(server, 'ana@example.com');
  const { revisionid } = await call(server, ana, 'GET', `/guides/${guideid}`);
  const step = { title: 'Forgotten step', lines: [{ text: 'Grease it' }] };
  const path = `/guides/${guideid}/steps?revisionid=${String(revisionid)}`;
  const added = stepsOf(await call(server, ana, 'POST', path, { ...step, orderby: 3 })).at(-1);
  actions.syncNow();
  await device.shows((guide) => guide?.steps.length === 3, 'guide', guideid);
  await device.inSync();
  world.passes = () => false;
  await actions.comment('step', String(added), 'For the forgotten step');
  await server.restore();
  const { other, token } = await makeAnother(server, [step]);
  expect(stepsOf(other)).toEqual([added]);
  world.passes = () => true;
  actions.syncNow();
  const parked = await device.shows((items) => items.some(({ state }) => state === 'parked'), 'activity');
  expect(JSON.stringify(parked)).toContain('For the forgotten step');
  const there = await call(server, token, 'GET', `/comments?context=step&contextid=${String(added)}`);
  expect(JSON.stringify(there)).not.toContain('For the forgotten step');
});

test('OUTBOX-34 a comment on a step forgotten in a restore is never attached to a step added to the same guide since', async () => {
  await using world = await bench();
  const { server, device, guideid } = world;
  const { actions } = device;
  await server.backUp();
  const { asAna, addStep } = anaOn(world);
  const forgotten = await addStep('Forgotten step');
  actions.syncNow();
  await device.shows((guide) => guide?.steps.length === 3, 'guide', guideid);
  await device.inSync();
  world.passes = () => false;
  await actions.comment('step', String(forgotten), 'For the forgotten step');
  await actions.comment(
    'step',
    String(stepsOf(await asAna('GET', `/guides/${guideid}`))[0]),
    'For the first step',
  );
  await server.restore();
  // No client has told the server yet that it lost numbers.
  expect(await addStep('Another step')).toBe(forgotten);
  world.passes = () => true;
  actions.syncNow();
  await device.shows(({ pending }) => pending === 0, 'syncState');
  const there = JSON.stringify(await asAna('GET', `/comments?context=guide&contextid=${guideid}`));
  const onStep = await asAna('GET', `/comments?context=step&contextid=${String(forgotten)}`);
  expect(there + JSON.stringify(onStep)).not.toContain('For the forgotten step');
  const parked = (await device.look('activity')).filter(({ state }) => state === 'parked');
  expect(JSON.stringify(parked)).toContain('For the forgotten step');
  expect(parked).toHaveLength(1);
});

test('OUTBOX-34 a work order never goes to a step with the number of one forgotten in a restore', async () => {
  await using world = await bench();
  const { server, device, guideid } = world;
  const { actions } = device;
  const order = await actions.startWorkOrder(guideid, 'WO-9');
  await device.inSync();
  await server.backUp();
  const { asAna, addStep } = anaOn(world);
  const forgotten = await addStep('Forgotten step');
  actions.syncNow();
  await device.shows((guide) => guide?.steps.length === 3, 'guide', guideid);
  await device.inSync();
  world.passes = () => false;
  await actions.enterStep(order, String(forgotten));
  await server.restore();
  expect(await addStep('Another step')).toBe(forgotten);
  world.passes = () => true;
  actions.syncNow();
  await device.shows(({ pending }) => pending === 0, 'syncState');
  const [shown] = await device.look('workOrders');
  const entry = await asAna('GET', `/work_log/${must(shown, 'the order').entryid}`);
  expect(entry['active_stepid']).not.toBe(forgotten);
  expect((await device.look('activity')).filter(({ state }) => state === 'parked')).toHaveLength(1);
});

test('OUTBOX-34 a value for a field forgotten in a restore is never stored for the field that now has its number', async () => {
  await using world = await bench();
  const { server, device, guideid } = world;
  const { actions } = device;
  const order = await actions.startWorkOrder(guideid, 'WO-9');
  await device.inSync();
  await server.backUp();
  const { asAna } = anaOn(world);
  const guide = await asAna('GET', `/guides/${guideid}`);
  const second = String(stepsOf(guide)[1]);
  const addField = (label: string): Promise<unknown> =>
    asAna('POST', `/step_forms/${second}`, { fields: [{ field_type: 'Text Input', label }] });
  const fieldNow = async () => (await device.look('guide', guideid))?.steps[1]?.fields[0];
  await addField('Forgotten field');
  actions.syncNow();
  await device.shows((seen) => seen?.steps[1]?.fields.length === 1, 'guide', guideid);
  await device.inSync();
  const forgotten = must(await fieldNow(), 'the field');
  world.passes = () => false;
  await actions.recordValue(order, forgotten, 'For the forgotten field');
  await server.restore();
  await addField('Another field');
  world.passes = () => true;
  actions.syncNow();
  await device.shows(({ pending }) => pending === 0, 'syncState');
  const [shown] = await device.look('workOrders');
  const entry = await asAna('GET', `/work_log/${must(shown, 'the order').entryid}`);
  expect(entry['work_data']).toEqual([]);
  const parked = (await device.look('activity')).filter(({ state }) => state === 'parked');
  expect(JSON.stringify(parked)).toContain('For the forgotten field');
  expect((await fieldNow())?.field_revisionid).toBe(forgotten.field_revisionid);
});

test('OUTBOX-32 a save waiting for a guide to be created again never joins one for the guide with its old number', async () => {
  await using world = await bench();
  const { server, device } = world;
  const { actions } = device;
  await server.backUp();
  const draft = await actions.openDraft(null);
  await actions.editDraft(draft, { op: 'setText', field: 'title', value: 'Made again' });
  await actions.editDraft(draft, { op: 'setField', field: 'category', value: 'Bench Grinder' });
  await actions.saveDraft(draft);
  await device.inSync();
  const shelf = async (): Promise<Map<string, string>> => {
    const { guides } = await device.look('library', { category: null });
    return new Map(guides.map(({ guideid, title }) => [title, guideid]));
  };
  const id = must((await shelf()).get('Made again'), 'the guide');
  world.passes = () => false;
  await setSummary(device, id, 'For the guide that is made again');
  await server.restore();
  const token = await tokenOf(server, 'ana@example.com');
  const other = await call(server, token, 'POST', '/guides', {
    category: 'Bench Grinder',
    type: 'repair',
    title: 'Another guide',
    public: true,
  });
  expect(String(other['guideid'])).toBe(id);
  // Sent calls are repeated; then nothing else is sent.
  let batches = 0;
  world.passes = (path) => path !== '/sync/1/batch' || (batches += 1) === 1;
  actions.syncNow();
  await expect.poll(async () => [...(await shelf()).keys()]).toContain('Made again');
  await expect.poll(async () => (await shelf()).get('Another guide')).toBe(id);
  await setSummary(device, id, 'For another guide');
  world.passes = () => true;
  actions.syncNow();
  await device.inSync();

  const again = must((await shelf()).get('Made again'), 'the guide');
  expect(again).not.toBe(id);
  const summaryOf = async (number: string): Promise<unknown> =>
    (await call(server, token, 'GET', `/guides/${number}`))['summary'];
  expect(await summaryOf(again)).toBe('For the guide that is made again');
  expect(await summaryOf(id)).toBe('For another guide');
});

test('OUTBOX-34 a file with the number of one forgotten in a restore is never put into a guide', async () => {
  await using world = await bench();
  const { server, device, guideid } = world;
  const { actions } = device;
  await server.backUp();
  const upload = async (name: string): Promise<number> => {
    const answer = await fetch(`${server.url}/api/2.0/user/media/documents?file=${name}`, {
      method: 'POST',
      headers: { Authorization: `api ${await tokenOf(server, 'ana@example.com')}` },
      body: pdfFile(),
    });
    return z.object({ documentid: z.int() }).parse(await answer.json()).documentid;
  };
  // Added elsewhere, so this device knows it only by its number.
  const forgotten = await upload('forgotten.pdf');
  await changeAs(server, 'ana@example.com', guideid, { documents: [forgotten] });
  actions.syncNow();
  await device.shows((guide) => guide?.documents.length === 1, 'guide', guideid);
  await device.inSync();
  world.passes = () => false;
  await actions.openDraft(guideid);
  await actions.addDraftDocument(guideid, new Blob([pdfFile()], { type: 'application/pdf' }), 'mine.pdf');
  await actions.saveDraft(guideid);
  await server.restore();
  expect(await upload('another.pdf')).toBe(forgotten);
  world.passes = () => true;
  actions.syncNow();
  await device.shows(({ pending }) => pending === 0, 'syncState');
  await device.shows(
    (items) => items.some(({ state }) => state === 'parked' || state === 'needs-decision'),
    'activity',
  );
  const token = await tokenOf(server, 'ana@example.com');
  expect(JSON.stringify(await call(server, token, 'GET', `/guides/${guideid}`))).not.toContain('another.pdf');
});

test('OUTBOX-34 a video is not shown in place of the one that has its number after a restore', async () => {
  await using world = await bench();
  const { server, device, disk, guideid } = world;
  await server.backUp();
  const show = async (brand: string): Promise<number> => {
    const answer = await fetch(`${server.url}/api/2.0/user/media/videos?file=belt.mp4`, {
      method: 'POST',
      headers: { Authorization: `api ${await tokenOf(server, 'ana@example.com')}` },
      body: movieFile(brand),
    });
    const { videoid } = z.object({ videoid: z.int() }).parse(await answer.json());
    const token = await tokenOf(server, 'ana@example.com');
    const [stepid, other] = stepsOf(await call(server, token, 'GET', `/guides/${guideid}`));
    const { steps } = z
      .object({ steps: z.array(z.object({ revisionid: z.int() })) })
      .parse(await call(server, token, 'GET', `/guides/${guideid}`));
    await changeAs(server, 'ana@example.com', guideid, {
      steps: [
        { stepid, revisionid: steps[0]?.revisionid, media: { type: 'object', data: videoid } },
        { stepid: other, revisionid: steps[1]?.revisionid },
      ],
    });
    device.actions.syncNow();
    return videoid;
  };
  await device.actions.downloadGuides([guideid]);
  const first = await show('isom');
  const keptHere = async (): Promise<string> => {
    const steps = (await device.look('guide', guideid))?.steps ?? [];
    const { file = '' } = steps.find(({ video }) => video !== null)?.video ?? {};
    return (await (await disk.media.get(file))?.text()) ?? '';
  };
  await expect.poll(keptHere).toContain('ftypisom');
  await device.inSync();
  world.passes = () => false;
  await server.restore();
  expect(await show('mp42')).toBe(first);
  world.passes = () => true;
  device.actions.syncNow();
  await expect.poll(keptHere, { timeout: 20_000 }).toContain('ftypmp42');
});
