import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { must } from '#shared/must.ts';
import { decided } from '#test/support/decided.ts';
import { diskOf } from '#test/support/old-engine/disk.ts';
import { filesOf, oldProfile, type OldProfile } from '#test/support/old-engine/load.ts';
import { startServer, type TestServer } from '#test/support/server.ts';

import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

/** The server of the recorded profile, in its recorded state. */
async function serverOf(profile: OldProfile, late: number): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'benchbook-old-profile-'));
  for (const [name, bytes] of filesOf(profile.server)) {
    mkdirSync(dirname(join(dataDir, name)), { recursive: true });
    writeFileSync(join(dataDir, name), bytes);
  }
  const server = await startServer({ dataDir, now: () => Date.now() - late });
  const stop = server[Symbol.asyncDispose].bind(server);
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** How much later it is than just after the recording, ms: tokens and edit periods expire. */
function lateness({ recordedAt }: OldProfile): number {
  return Date.now() - recordedAt - 1000;
}

async function activityOf(device: WholeDevice): Promise<OldProfile['shown']['activity']> {
  const activity = await device.look('activity');
  return activity.map(({ id, kind, state, subject }) => ({ id, kind, state, subject }));
}

async function draftsOf(device: WholeDevice, guideids: string[]): Promise<Record<string, unknown>> {
  const drafts: Record<string, unknown> = {};
  for (const guideid of guideids) {
    const draft = await device.shows((state) => state !== null, 'draft', guideid);
    drafts[guideid] = draft?.content;
  }
  return drafts;
}

test.each([
  ['journal and databases', {}],
  ['only the journal', { collections: false }],
  ['only the databases', { journal: false }],
] as const)('PROTOCOL-9 a protocol 5 profile opens offline with all its work: %s', async (_, has) => {
  const profile = oldProfile();
  await using device = await startWholeDevice(() => null, diskOf(profile, has), lateness(profile));
  expect((await device.shows(({ user }) => user !== null, 'session')).user?.username).toBe('Ana');
  const { activity, drafts } = profile.shown;
  // Only the journal remembers sent calls.
  const isKept = ({ state }: { state: string }): boolean => !('journal' in has) || state !== 'on-the-server';
  const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
  expect((await activityOf(device)).toSorted(byId)).toEqual(activity.filter(isKept).toSorted(byId));
  expect(await draftsOf(device, Object.keys(drafts))).toEqual(drafts);
  if (!('collections' in has)) expect((await device.look('guide', '1'))?.title).toBe('Belt, saved offline');
});

test('PROTOCOL-9 a protocol 5 profile sends all its work, merges, and keeps decisions for the person', async () => {
  const profile = oldProfile();
  const late = lateness(profile);
  await using server = await serverOf(profile, late);
  let url: string | null = null;
  await using device = await startWholeDevice(() => url, diskOf(profile), late);
  const { actions } = device;
  await device.shows(({ pending }) => pending > 0, 'syncState');
  ({ url } = server);
  actions.syncNow();
  await device.inSync();

  // A guide was withdrawn: Ana's text in it is quarantined.
  const kept = await device.shows((words) => words.length > 0, 'keptWords');
  expect(JSON.stringify(kept)).toContain('Belt that is withdrawn');
  const left = (await activityOf(device)).filter(({ state }) => state !== 'on-the-server');
  expect(left.map(({ state, subject }) => `${state}: ${subject}`).toSorted()).toEqual([
    'needs-decision: Belt, as Ana calls it',
  ]);

  const token = must(
    Object.entries(profile.secrets).find(([name]) => name.startsWith('token-'))?.[1],
    'the token',
  );
  const read = async (path: string): Promise<unknown> => {
    const answer = await fetch(`${server.url}/api/2.0${path}`, {
      headers: { Authorization: `api ${token}` },
    });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.json();
  };
  expect(await read('/guides/1')).toMatchObject({ title: 'Belt, saved offline' });
  expect(await read('/guides/3')).toMatchObject({
    summary: 'Written by Ana offline',
    conclusion_raw: 'Written by Ben',
    public: false,
  });
  const { guides } = await device.look('library', { category: null });
  const made = must(
    guides.find(({ title }) => title === 'Made offline'),
    'the guide that was made offline',
  );
  const { steps } = (await read(`/guides/${made.guideid}`)) as { steps: { media: { data: unknown[] } }[] };
  expect(steps[0]?.media.data).toHaveLength(1);
  const comments = (await read('/comments')) as { text_raw: string }[];
  expect(comments.map(({ text_raw }) => text_raw).toSorted()).toEqual([
    'On the step',
    'On what is not there yet',
    'Sent first, then changed',
  ]);
  expect(await read('/guides/1/tags')).toEqual(['belts']);
  expect(await read('/wikis/INFO/Rules/tags')).toEqual(['safety']);
  expect(await read('/wikis/INFO/Rules')).toMatchObject({ contents_raw: 'Wear goggles, always.' });
  expect(await read('/wikis/INFO/Torque%20table')).toMatchObject({ contents_raw: 'M8: 25' });
  expect(await read('/user')).toMatchObject({ location: 'Hall 1' });
  const favorites = (await read('/user/favorites/guides')) as { guide: { guideid: number } }[];
  expect(favorites.map(({ guide }) => guide.guideid)).toEqual([1]);
  expect(((await read('/user/completions')) as { guideid: number }[])[0]?.guideid).toBe(1);
  const orders = await device.look('workOrders');
  expect(
    orders.map(({ workorderid, status, running, pending }) => [workorderid, status, running, pending]),
  ).toEqual(
    expect.arrayContaining([
      ['WO-1', 'paused', false, 0],
      ['WO-2', 'started', true, 0],
    ]),
  );
  expect(JSON.stringify(await read('/work_log'))).toContain('12.5');

  const drafts = await draftsOf(device, ['1', '4']);
  expect(drafts).toMatchObject({ 1: { conclusion_raw: 'Not saved yet' }, 4: { summary: 'Only a draft' } });

  const decision = must(await device.look('conflict', '2'), 'the decision').conflicts[0];
  await actions.resolveConflicts('2', [decided(decision, { take: 'mine' })]);
  await device.inSync();
  expect(await read('/guides/2')).toMatchObject({ title: 'Belt, as Ana calls it' });
});
