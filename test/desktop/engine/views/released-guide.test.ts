import { expect, test } from 'vitest';

import { memoryMediaStore } from '#desktop/engine/features/media/store.ts';
import type { PlayableGuide } from '#desktop/engine/api/records.ts';
import type { GuideFacts, ReleasedGuide } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { FormField, StepForm } from '#shared/model/step-form.ts';
import { must } from '#shared/must.ts';
import { guideFactsToArchive } from '#shared/formats/omanual/round-trip.ts';
import { openBench } from '#test/desktop/engine/bench/bench-of-test.ts';
import type { Bench } from '#test/desktop/engine/bench/bench.ts';
import { follow, now, settled } from '#test/desktop/engine/bench/live-values.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';
import { guideOf } from '#test/support/guide-edits.ts';

const picture = (id: number): ImageRef => ({ id, guid: `guid${id}`, width: 1600, height: 1200 });

function guide(lines: string[][], change: Partial<GuideFacts>): GuideFacts {
  return guideOf(lines, { prerequisites: [], ...change });
}

const first = guide([['Pull the plug and lock it'], ['Wait a minute']], {
  guideid: 7,
  title: 'Lock out, revised',
  revisionid: 80,
  guide_revisionid: 81,
  image: picture(1),
});

/** Guide 7 as released: with one more step, and another picture. */
function released(change: Partial<ReleasedGuide['guide']> = {}): ReleasedGuide {
  const { prerequisites: _, ...facts } = guide([['Pull the plug'], ['Wait'], ['Sign the sheet']], {
    guideid: 7,
    title: 'Lock out',
    revisionid: 70,
    guide_revisionid: 71,
    image: picture(2),
  });
  return { releaseid: 3, title: 'v1.0', guide: { ...facts, ...change } };
}

function asking(pins: GuideFacts['prerequisite_releases']): GuideFacts {
  return guide([['Change the belt']], {
    guideid: 12,
    title: 'Belt',
    prerequisites: [7],
    ...(pins === undefined ? {} : { prerequisite_releases: pins }),
  });
}

const site = (releases: boolean): object => ({
  kind: 'site',
  name: 'shop',
  langid: 'en',
  guideTypes: [],
  releases,
});

async function workshop(
  options: Parameters<typeof Bench.open>[1] = {},
): Promise<{ server: StandInServer; bench: Bench }> {
  const server = StandInServer.still();
  server.put('viewer', 'site', site(true));
  server.put('guides', '7', first);
  server.put('guides', '12', asking([{ guideid: 7, releaseid: 3, released: released() }]));
  const bench = await openBench(server, options);
  return { server, bench };
}

async function read(bench: Bench, id: string): Promise<PlayableGuide> {
  return must(await now(bench.views.guide(id)), 'the guide');
}

test('VIEW-1 a guide lists a prerequisite as released, and opens that version', async () => {
  const { bench } = await workshop();
  expect((await read(bench, '12')).prerequisites).toEqual([
    { guideid: '7@12', title: 'Lock out', steps: 3, release: 'v1.0', completed: false },
  ]);
  const shown = await read(bench, '7@12');
  expect(shown).toMatchObject({
    guideid: '7',
    title: 'Lock out',
    imageGuid: 'guid2',
    release: { title: 'v1.0', by: { guideid: '12', title: 'Belt' } },
  });
  expect(shown.steps.map((step) => step.lines.map((line) => line.text))).toEqual([
    ['Pull the plug'],
    ['Wait'],
    ['Sign the sheet'],
  ]);
  expect(await read(bench, '7')).toMatchObject({ title: 'Lock out, revised', release: null });
});

test('READ-3 a prerequisite that the person completed is marked, also in a release', async () => {
  const { bench } = await workshop();
  const completed = async (): Promise<boolean[]> =>
    (await read(bench, '12')).prerequisites.map((prerequisite) => prerequisite.completed);
  await bench.actions.complete('12', true);
  expect(await completed()).toEqual([false]);
  await bench.actions.complete('7', true);
  expect(await completed()).toEqual([true]);
  await bench.actions.complete('7', false);
  expect(await completed()).toEqual([false]);
});

test('APPROVAL-19 a release shows the forms of its steps, or the current ones if it has none', async () => {
  const { server, bench } = await workshop();
  const field = {
    field_revisionid: 1,
    field_guid: 'f',
    field_type: 'Text Input',
    label: 'Of now',
    placeholder: '',
    textarea: '',
    required: false,
    options: [],
  } as const satisfies FormField;
  const stepid = must(released().guide.steps[0], 'a step').stepid;
  const form: StepForm = { form_revisionid: 5, stepid, guideid: 7, fields: [field] };
  server.put('stepForms', String(stepid), form);
  await bench.pull();
  const labels = async (): Promise<string[]> =>
    (await read(bench, '7@12')).steps.flatMap((step) => step.fields.map(({ label }) => label));
  expect(await labels()).toEqual(['Of now']);
  const forms = [{ ...form, form_revisionid: 4, fields: [{ ...field, label: 'Of then' }] }];
  server.put('guides', '12', asking([{ guideid: 7, releaseid: 3, released: { ...released(), forms } }]));
  await bench.pull();
  expect(await labels()).toEqual(['Of then']);
});

test('VIEW-1 a pin whose release is missing shows the current prerequisite', async () => {
  const { server, bench } = await workshop();
  server.put('guides', '12', asking([{ guideid: 7, releaseid: 3 }]));
  await bench.pull();
  expect((await read(bench, '12')).prerequisites).toEqual([
    { guideid: '7', title: 'Lock out, revised', steps: 2, release: null, completed: false },
  ]);
});

test('VIEW-2 leaving a release leads to what the guide requires now', async () => {
  const { server, bench } = await workshop();
  const { values, stop } = follow(bench.views.guide('7@12'));
  await settled();
  const newer = { ...released({ title: 'Lock out, second' }), releaseid: 4 };
  server.put('guides', '12', asking([{ guideid: 7, releaseid: 4, released: newer }]));
  await bench.pull();
  await settled();
  server.put('viewer', 'site', site(false));
  await bench.pull();
  await settled();
  expect((await read(bench, '12')).prerequisites).toMatchObject([{ guideid: '7', release: null }]);
  server.put('viewer', 'site', site(true));
  await bench.pull();
  await settled();
  server.put('guides', '12', asking(undefined));
  await bench.pull();
  await settled();
  stop();
  const seen = values.map((view) => view?.title);
  expect(seen.filter((title, index) => title !== seen[index - 1])).toEqual([
    'Lock out',
    'Lock out, second',
    'Lock out, revised',
    'Lock out, second',
    'Lock out, revised',
  ]);
});

test('VIEW-3 a work order on a release names the revision the worker saw, and belongs to the guide', async () => {
  const { bench } = await workshop();
  const { guideid, release, revision, canEdit } = await read(bench, '7@12');
  expect(canEdit).toBe(false);
  // The third step was removed from the guide since.
  expect(release?.goneSteps).toEqual(['13']);
  const id = await bench.actions.startWorkOrder(guideid, 'WO-1', { ...(revision && { seen: revision }) });
  expect(await now(bench.views.workOrder(id))).toMatchObject({ guideid: '7' });
  const [call] = await now(bench.views.activity());
  expect(call?.call.body).toMatchObject({ guideid: 7, guide_revisionid: 71 });
});

test('VIEW-4 a guide is ready offline only with the pictures of its prerequisites, as released and current', async () => {
  const states = async (missing: string): Promise<string[]> => {
    const request = (path: string): Promise<Response> =>
      Promise.resolve(new Response('bytes', { status: path.includes(missing) ? 503 : 200 }));
    const { bench } = await workshop({ media: memoryMediaStore(), request });
    await read(bench, '12');
    await bench.actions.downloadGuides(['12']);
    for (let turn = 0; turn < 10; turn += 1) await settled();
    const shown = await Promise.all(['12', '7@12', '7'].map((id) => read(bench, id)));
    return shown.map(({ readiness }) => (readiness.state === 'ready' ? 'ready' : 'not ready'));
  };
  expect(await states('nothing')).toEqual(['ready', 'ready', 'ready']);
  expect(await states('guid1')).toEqual(['not ready', 'ready', 'not ready']);
  expect(await states('guid2')).toEqual(['not ready', 'not ready', 'ready']);
});

test('VIEW-4 waiting edits keep the prerequisites of a guide', async () => {
  const state = async (missing: string): Promise<string> => {
    const request = (path: string): Promise<Response> =>
      Promise.resolve(new Response('bytes', { status: path.includes(missing) ? 503 : 200 }));
    const { bench } = await workshop({ media: memoryMediaStore(), request });
    await bench.actions.openDraft('12');
    await bench.actions.editDraft('12', { op: 'setText', field: 'title', value: 'Belt of the grinder' });
    await bench.actions.saveDraft('12');
    await now(bench.views.library({ category: null }));
    await bench.actions.downloadGuides(['12']);
    for (let turn = 0; turn < 10; turn += 1) await settled();
    const page = await now(bench.views.library({ category: null }));
    const card = must(
      page.guides.find(({ guideid }) => guideid === '12'),
      'the card',
    );
    expect(card).toMatchObject({ title: 'Belt of the grinder', pending: true });
    return card.readiness.state;
  };
  expect(await state('nothing')).toBe('ready');
  expect(await state('guid2')).not.toBe('ready');
});

test('VIEW-1 an archive contains no releases, only the pin', () => {
  const facts = asking([{ guideid: 7, releaseid: 3, released: released() }]);
  const archived = guideFactsToArchive(facts, new Set([7]));
  expect(archived.prerequisite_releases).toEqual([{ guideid: 7, releaseid: 3 }]);
  expect(guideFactsToArchive(facts, new Set()).prerequisite_releases).toEqual([]);
});
