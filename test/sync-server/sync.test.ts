import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import type { BatchCall, FeedRow } from '#shared/sync/wire.ts';
import type { TestPerson } from '#test/support/server.ts';
import { batch, sync, type Answer, newGuide, twoAuthors } from '#test/support/sync-calls.ts';

function guideRows(answer: Answer): FeedRow[] {
  return answer.rows.filter((row) => row.c === 'guides');
}

test('FEED-1 a private guide never reaches another person, and a published one does', async () => {
  const { server, ana, ben } = await twoAuthors();
  await using _ = server;
  const start = (await sync(server, ben, 'bootstrap')).checkpoint;
  const guide = await ana.client.guides.create({ body: newGuide });
  expect(guideRows(await sync(server, ben, `pull?since=${start}`))).toEqual([]);
  expect(guideRows(await sync(server, ana, `pull?since=${start}`))).toMatchObject([
    { id: String(guide.guideid), doc: { title: 'Belt' } },
  ]);
  await ana.client.guides.publish({ params: { guideid: guide.guideid }, revisionid: guide.revisionid });
  expect(guideRows(await sync(server, ben, `pull?since=${start}`))).toMatchObject([
    { id: String(guide.guideid), doc: { public: true } },
  ]);
});

test("FEED-2 a guide made private again is removed from other people's devices, even after later edits", async () => {
  const { server, ana, ben } = await twoAuthors();
  await using _ = server;
  const made = await ana.client.guides.create({ body: { ...newGuide, public: true } });
  const { checkpoint } = await sync(server, ben, 'bootstrap');
  const hidden = await ana.client.guides.unpublish({
    params: { guideid: made.guideid },
    revisionid: made.revisionid,
  });
  await ana.client.guides.patch({
    params: { guideid: made.guideid },
    revisionid: hidden.revisionid,
    body: { summary: 'Secret' },
  });
  const pulled = await sync(server, ben, `pull?since=${checkpoint}`);
  expect(guideRows(pulled)).toEqual([
    { c: 'guides', id: String(made.guideid), seq: expect.any(Number), removed: true },
  ]);
  expect(JSON.stringify(pulled)).not.toContain('Secret');
});

test('FEED-3 a superseded change is sent without a document, and only to the person whose key made it', async () => {
  const { server, ana, ben } = await twoAuthors();
  await using _ = server;
  const made = await ana.client.guides.create({ body: { ...newGuide, public: true } });
  const { checkpoint } = await sync(server, ana, 'bootstrap');
  const first = await ana.client.guides.patch(
    { params: { guideid: made.guideid }, revisionid: made.revisionid, body: { summary: 'One' } },
    { idempotencyKey: 'key-of-ana-1' },
  );
  await ben.client.guides.patch({
    params: { guideid: made.guideid },
    revisionid: first.revisionid,
    body: { summary: 'Two' },
  });
  const forAna = guideRows(await sync(server, ana, `pull?since=${checkpoint}`));
  expect(forAna).toMatchObject([{ key: 'key-of-ana-1' }, { doc: { summary: 'Two' } }]);
  expect(forAna[0]).not.toHaveProperty('doc');
  expect(guideRows(await sync(server, ben, `pull?since=${checkpoint}`))).toMatchObject([
    { doc: { summary: 'Two' } },
  ]);
});

test('FEED-4 the cost of a page depends on what changed, and the next one continues where it ended', async () => {
  const { server, ana } = await twoAuthors();
  await using _ = server;
  const { checkpoint } = await sync(server, ana, 'bootstrap');
  for (let count = 0; count < 5; count += 1) await ana.client.guides.create({ body: newGuide });
  const seen: string[] = [];
  let place = checkpoint;
  for (let more = true; more;) {
    const page = await sync(server, ana, `pull?since=${place}&limit=2`);
    seen.push(...guideRows(page).map((row) => row.id));
    expect(page.rows.length).toBeLessThanOrEqual(2);
    ({ checkpoint: place, more } = page);
  }
  expect(seen).toEqual(['1', '2', '3', '4', '5']);
  expect((await sync(server, ana, `pull?since=${place}`)).rows).toEqual([]);
});

test('FEED-5 a checkpoint of another history is answered with 410', async () => {
  const { server, ana } = await twoAuthors();
  await using _ = server;
  const { checkpoint } = await sync(server, ana, 'bootstrap');
  const [seq] = checkpoint.split('.');
  expect((await sync(server, ana, `pull?since=${seq}.ffffffffffff`)).status).toBe(410);
  expect((await sync(server, ana, `pull?since=${Number(seq) + 1000}.abc`)).status).toBe(410);
});

test('FEED-6 a person who becomes an administrator receives what they may now see, and loses it again', async () => {
  const { server, ana, ben } = await twoAuthors();
  await using _ = server;
  const admin = await server.person('Mira', ['User', 'Admin']);
  const guide = await ana.client.guides.create({ body: newGuide });
  const before = (await sync(server, ben, 'bootstrap')).checkpoint;
  await promote(admin, ben, ['Admin']);
  const gained = await sync(server, ben, `pull?since=${before}`);
  expect(guideRows(gained)).toMatchObject([{ id: String(guide.guideid), doc: { title: 'Belt' } }]);
  await promote(admin, ben, ['User']);
  expect(guideRows(await sync(server, ben, `pull?since=${gained.checkpoint}`))).toMatchObject([
    { id: String(guide.guideid), removed: true },
  ]);
});

test('FEED-7 the facts of a guide name its last editor', async () => {
  const { server, ana } = await twoAuthors();
  await using _ = server;
  const otto = await server.person('Otto', ['User', 'Author', 'Moderator']);
  const guide = await ana.client.guides.create({ body: { ...newGuide, public: true } });
  const documents = async (): Promise<unknown[]> =>
    guideRows(await sync(server, ana, 'bootstrap')).map(({ doc }) => doc);
  expect(await documents()).toMatchObject([{ modified_userid: ana.userid }]);
  await otto.call('PATCH', `/guides/${guide.guideid}?revisionid=${guide.revisionid}`, {
    title: 'Drive belt',
  });
  expect(await documents()).toMatchObject([{ title: 'Drive belt', modified_userid: otto.userid }]);
});

function prerequisitesIn({ rows }: { rows: FeedRow[] }, guideid: number): number[][] {
  return rows
    .filter((row) => row.c === 'guides' && row.id === String(guideid) && row.doc !== undefined)
    .map((row) => (row.doc as { prerequisites: number[] }).prerequisites);
}

test('FEED-8 a guide lists only the prerequisites that its reader may see, in the feed and in every response', async () => {
  const { server, ana, ben } = await twoAuthors();
  await using _ = server;
  const first = await ana.client.guides.create({ body: newGuide });
  const guide = await ana.client.guides.create({
    body: { ...newGuide, public: true, prerequisites: [first.guideid] },
  });
  const path = `/guides/${guide.guideid}`;
  const { checkpoint, rows } = await sync(server, ben, 'bootstrap');
  expect(prerequisitesIn({ rows }, guide.guideid)).toEqual([[]]);
  expect(prerequisitesIn(await sync(server, ben, 'pull?since=0.0'), guide.guideid)).toEqual([[]]);
  expect(prerequisitesIn(await sync(server, ana, 'bootstrap'), guide.guideid)).toEqual([[first.guideid]]);
  const stale: BatchCall = {
    id: 'stale-call',
    lane: 'g',
    method: 'PATCH',
    path,
    query: { revisionid: '1' },
    body: { summary: 'Stale' },
  };
  const [refused] = await batch(server, ben, [stale]);
  expect(refused?.status).toBe(409);
  expect(prerequisitesIn(must(refused, 'an answer'), guide.guideid)).toEqual([[]]);
  const query = { revisionid: String(guide.revisionid) };
  const [edit] = await batch(server, ben, [
    { ...stale, id: 'edit-of-ben', query, body: { summary: 'Short', prerequisites: [] } },
  ]);
  expect(edit?.status).toBe(200);
  expect(prerequisitesIn(must(edit, 'an answer'), guide.guideid)).toEqual([[]]);
  // A prerequisite that he may not see cannot be removed by him.
  expect(prerequisitesIn(await sync(server, ana, 'bootstrap'), guide.guideid)).toEqual([[first.guideid]]);
  await ana.client.guides.publish({ params: { guideid: first.guideid }, revisionid: first.revisionid });
  expect(prerequisitesIn(await sync(server, ben, `pull?since=${checkpoint}`), guide.guideid).at(-1)).toEqual([
    first.guideid,
  ]);
});

test('FEED-9 a person who gains access to a prerequisite receives the guides that name it', async () => {
  const { server, ana, ben } = await twoAuthors();
  await using _ = server;
  const admin = await server.person('Mira', ['User', 'Admin']);
  const first = await ana.client.guides.create({ body: newGuide });
  const guide = await ana.client.guides.create({
    body: { ...newGuide, public: true, prerequisites: [first.guideid] },
  });
  const before = (await sync(server, ben, 'bootstrap')).checkpoint;
  await promote(admin, ben, ['Admin']);
  const gained = await sync(server, ben, `pull?since=${before}`);
  expect(prerequisitesIn(gained, guide.guideid)).toEqual([[first.guideid]]);
  await promote(admin, ben, ['User']);
  const lost = await sync(server, ben, `pull?since=${gained.checkpoint}`);
  expect(prerequisitesIn(lost, guide.guideid)).toEqual([[]]);
});

test('FEED-10 the form of a step and its comments are removed with it', async () => {
  const { server, ana, ben } = await twoAuthors();
  await using _ = server;
  const made = await ana.client.guides.create({
    body: { ...newGuide, public: true, steps: [{ lines: [{ text: 'One' }] }, { lines: [{ text: 'Two' }] }] },
  });
  const step = must(made.steps[1], 'a step');
  const commented = await ben.call('POST', `/comments/step/${step.stepid}`, { text: 'Which bit?' });
  expect(commented.status).toBe(201);
  const { commentid } = commented.body as { commentid: number };
  const fields = [{ label: 'Torque', field_type: 'Text Input' }];
  expect((await ana.call('POST', `/step_forms/${step.stepid}`, { fields })).status).toBe(200);
  const { checkpoint } = await sync(server, ben, 'bootstrap');
  const path = `/guides/${made.guideid}/steps/${step.stepid}?revisionid=${step.revisionid}`;
  expect((await ana.call('DELETE', path)).status).toBe(200);
  const removed = (await sync(server, ben, `pull?since=${checkpoint}`)).rows.filter((row) => row.removed);
  expect(removed.map(({ c, id }) => `${c}/${id}`).toSorted()).toEqual([
    `comments/${commentid}`,
    `stepForms/${step.stepid}`,
  ]);
  expect((await ben.call('GET', '/comments')).body).toEqual([]);
  expect((await ana.call('GET', `/step_forms/guideid/${made.guideid}`)).body).toEqual([]);
});

test('FEED-11 the effects of a change of access arrive in pages that continue where the previous one ended', async () => {
  const { server, ana, ben } = await twoAuthors();
  await using _ = server;
  const admin = await server.person('Mira', ['User', 'Admin']);
  const made: number[] = [];
  for (let count = 0; count < 5; count += 1)
    made.push((await ana.client.guides.create({ body: newGuide })).guideid);
  const open = await ana.client.guides.create({
    body: { ...newGuide, public: true, prerequisites: [must(made[0], 'a guide')] },
  });
  const pages = async (from: string): Promise<{ rows: FeedRow[]; place: string }> => {
    const rows: FeedRow[] = [];
    let place = from;
    for (let more = true; more;) {
      const page = await sync(server, ben, `pull?since=${place}&limit=2`);
      expect(page.rows.length).toBeLessThanOrEqual(2);
      expect(page.checkpoint).not.toBe(place);
      rows.push(...guideRows(page));
      ({ checkpoint: place, more } = page);
    }
    return { rows, place };
  };
  const before = (await sync(server, ben, 'bootstrap')).checkpoint;
  await promote(admin, ben, ['Admin']);
  const gained = await pages(before);
  const ids = [...made, open.guideid].map(String);
  expect(gained.rows.map((row) => row.id)).toEqual(ids);
  expect(gained.rows.every((row) => 'doc' in row)).toBe(true);
  await promote(admin, ben, ['User']);
  const lost = await pages(gained.place);
  expect(lost.rows.map((row) => row.id)).toEqual(ids);
  expect(lost.rows.filter((row) => 'removed' in row).map((row) => row.id)).toEqual(made.map(String));
  expect(lost.rows.at(-1)).toMatchObject({ doc: { prerequisites: [] } });
  expect((await sync(server, ben, `pull?since=${lost.place}`)).rows).toEqual([]);
});

async function promote(
  admin: TestPerson,
  { userid }: TestPerson,
  privileges: ('Admin' | 'User')[],
): Promise<void> {
  await admin.client.users.patch({
    params: { userid },
    body: { privileges, current_password: 'a long password' },
  });
}
