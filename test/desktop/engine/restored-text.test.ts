import { expect, test } from 'vitest';

import type { ConflictChoice } from '#desktop/engine/views/conflict-records.ts';
import { must } from '#shared/must.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { newDisk } from './support/device.ts';
import { startRestorableServer, type RestorableServer } from './support/restorable-server.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

/** A server with one guide, Ana's device on it, and Ben, who works without one. */
async function bench(): Promise<
  AsyncDisposable & { server: RestorableServer; device: WholeDevice; guideid: string }
> {
  const server = await startRestorableServer();
  await server.now.category('Bench Grinder');
  const ana = await server.now.person('Ana');
  await server.now.person('Ben', ['User', 'Author', 'Moderator']);
  const { guideid } = await makeGuide(ana);
  const device = await startWholeDevice(() => server.url, newDisk());
  await device.signIn('Ana');
  await device.inSync();
  return {
    server,
    device,
    guideid: String(guideid),
    async [Symbol.asyncDispose]() {
      await device[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
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
