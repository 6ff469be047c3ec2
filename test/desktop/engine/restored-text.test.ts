import { expect, test } from 'vitest';

import type { ConflictChoice } from '#desktop/engine/views/conflict-records.ts';
import { must } from '#shared/must.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { newDisk } from './support/device.ts';
import { startRestorableServer, type RestorableServer } from './support/restorable-server.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

interface Bench extends AsyncDisposable {
  server: RestorableServer;
  device: WholeDevice;
  guideid: string;
  /** Whether a request of the device reaches the server. */
  passes: (path: string) => boolean;
}

/** A server with one guide, and Ana's device on it. */
async function bench(): Promise<Bench> {
  const server = await startRestorableServer();
  await server.now.category('Bench Grinder');
  const ana = await server.now.person('Ana');
  await server.now.person('Ben', ['User', 'Author', 'Moderator']);
  const { guideid } = await makeGuide(ana);
  const made: { device?: WholeDevice } = {};
  const world: Bench = {
    server,
    get device() {
      return must(made.device, 'the device');
    },
    guideid: String(guideid),
    passes: () => true,
    async [Symbol.asyncDispose]() {
      await made.device?.[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
  made.device = await startWholeDevice((path) => (world.passes(path) ? server.url : null), newDisk());
  await made.device.signIn('Ana');
  await made.device.inSync();
  return world;
}

async function setSummary({ actions }: WholeDevice, guideid: string, value: string): Promise<void> {
  await actions.openDraft(guideid);
  await actions.editDraft(guideid, { op: 'setText', field: 'summary', value });
  await actions.saveDraft(guideid);
}

/** Somebody changes a guide without a device of ours. */
async function changeAs(
  server: RestorableServer,
  email: string,
  guideid: string,
  change: object,
): Promise<void> {
  const token = await tokenOf(server, email);
  const { revisionid } = await call(server, token, 'GET', `/guides/${guideid}`);
  await call(server, token, 'PATCH', `/guides/${guideid}?revisionid=${String(revisionid)}`, change);
}

async function tokenOf(server: RestorableServer, email: string): Promise<string> {
  const answer = await call(server, null, 'POST', '/user/token', { email, password: 'a long password' });
  return String(answer['authToken']);
}

async function call(
  server: RestorableServer,
  token: string | null,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${server.url}/api/2.0${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { Authorization: `api ${token}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

test('O30 a text that a restored server forgot, and that somebody wrote anew meanwhile, waits in a decision with both texts', async () => {
  await using world = await bench();
  const { server, device, guideid } = world;
  const { actions } = device;
  await server.backUp();
  actions.syncNow();
  await device.inSync();
  await setSummary(device, guideid, 'Written by Ana');
  await device.inSync();
  await server.restore();
  await changeAs(server, 'ben@example.com', guideid, { summary: 'Told by Ben' });
  actions.syncNow();

  await device.shows(({ conflicts }) => conflicts === 1, 'syncState');
  const open = await device.look('conflict', guideid);
  expect(
    open?.conflicts.map(({ place, mine, theirs }) => [place.field, textOf(mine), textOf(theirs)]),
  ).toEqual([['summary', 'Written by Ana', 'Told by Ben']]);
  // Nothing else can be saved before the person has decided.
  await actions.openDraft(guideid);
  await actions.editDraft(guideid, { op: 'setText', field: 'title', value: 'Belt of the grinder' });
  await expect(actions.saveDraft(guideid)).rejects.toThrow('Decide the open conflicts first');
  const choice: ConflictChoice = { take: 'mine' };
  await actions.resolveConflict(guideid, must(open?.conflicts[0], 'the conflict').conflictid, choice);
  await device.inSync();
  const token = await tokenOf(server, 'ana@example.com');
  expect(await call(server, token, 'GET', `/guides/${guideid}`)).toMatchObject({
    summary: 'Written by Ana',
    title: 'Belt of the grinder',
  });
});

function textOf(spans: readonly { text: string }[]): string {
  return spans.map(({ text }) => text).join('');
}

test('O33 a call that was acknowledged beyond the last pull, and lost in a restore, is offered again', async () => {
  await using world = await bench();
  const { server, device, guideid } = world;
  const { actions } = device;
  // Answers to its calls are the last that this device hears: no pull and no event tells of a place after the backup.
  world.passes = (path) => path === '/sync/1/batch';
  await server.backUp();
  await actions.comment('guide', guideid, 'Acknowledged and lost');
  await device.shows(
    (items) => items.some(({ kind, state }) => kind === 'comment' && state === 'on-the-server'),
    'activity',
  );
  world.passes = () => false;
  await server.restore();
  world.passes = () => true;
  actions.syncNow();
  const token = await tokenOf(server, 'ana@example.com');
  const comments = async (): Promise<string> =>
    JSON.stringify(await call(server, token, 'GET', `/comments?context=guide&contextid=${guideid}`));
  await expect.poll(comments).toContain('Acknowledged and lost');
});
