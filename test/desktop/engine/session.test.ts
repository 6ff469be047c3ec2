import { Subject } from 'rxjs';
import { expect, test } from 'vitest';

import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { Sessions } from '#desktop/engine/account/session.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';

import { newDisk, platformOn, serverAddress } from './support/device.ts';
import { testEnvironment } from './support/environment.ts';

/** Two tabs of one device, with the same journal and secrets, and messages between them. */
async function twoTabs(): Promise<[Sessions, Sessions]> {
  const disk = newDisk();
  const environment = testEnvironment(new StandInServer().fetch);
  const journal = await openJournal(memoryStore({}, disk.journal), { ...environment });
  const channels = [new Subject<string>(), new Subject<string>()] as const;
  const tab = (own: 0 | 1): Sessions => {
    const heard = channels[own];
    const tabs = { heard, tell: (word: string) => channels[own === 0 ? 1 : 0].next(word) };
    const sessions = new Sessions({ ...platformOn(disk, environment), tabs }, journal);
    heard.subscribe((word) => void sessions.hear(word).then((what) => what !== null && sessions.renew()));
    return sessions;
  };
  const both: [Sessions, Sessions] = [tab(0), tab(1)];
  for (const sessions of both) await sessions.restore();
  return both;
}

const homeOf = (userid: number) => ({ home: `home-${userid}`, origin: serverAddress });

async function signIn(sessions: Sessions, email: string): Promise<void> {
  const { server, user, token } = await sessions.ask(serverAddress, { email, password: 'secret' });
  await sessions.take({ server, user, home: homeOf(user.userid).home }, token);
  sessions.opened();
}

test('OUTBOX-13 a token that one tab finds refused is refused in all tabs, and all take over a new one', async () => {
  const [first, second] = await twoTabs();
  await signIn(first, 'ada');
  await second.restore();
  second.opened();
  expect(second.tokenOf(homeOf(1))).toBe('token 1 of ada');
  first.expire('token 1 of ada');
  await expect.poll(() => second.current().status).toBe('expired');
  await signIn(second, 'ada');
  await expect.poll(() => first.current().status).toBe('signed-in');
  expect(first.tokenOf(homeOf(1))).toBe('token 2 of ada');
});

test("OUTBOX-13 a tab never returns another person's token, and knows when the session is no longer its own", async () => {
  const [first, second] = await twoTabs();
  await signIn(first, 'ada');
  await second.restore();
  second.opened();
  await signIn(first, 'bob');
  expect(first.tokenOf(homeOf(1))).toBeNull();
  expect(first.tokenOf(homeOf(2))).toBe('token 2 of bob');
  expect(await second.renew()).toBe(false);
  expect(second.tokenOf(homeOf(2))).toBeNull();
  expect(second.tokenOf(homeOf(1))).toBe('token 1 of ada');
});

test('a server given at the start of the app overrides the one of the last session, which is kept', async () => {
  const disk = newDisk();
  const environment = testEnvironment(new StandInServer().fetch);
  const journal = await openJournal(memoryStore({}, disk.journal), { ...environment });
  const startWith = async (askedServer: string | null): Promise<Sessions> => {
    const sessions = new Sessions({ ...platformOn(disk, environment), askedServer }, journal);
    await sessions.restore();
    return sessions;
  };
  await signIn(await startWith(null), 'ada');
  const asked = await startWith('https://other.test');
  expect(asked.current()).toMatchObject({ server: 'https://other.test', user: null, status: 'signed-out' });
  expect(asked.tokenOf(homeOf(1))).toBeNull();
  expect((await startWith(serverAddress)).tokenOf(homeOf(1))).toBe('token 1 of ada');
  expect((await startWith(null)).current()).toMatchObject({ server: serverAddress, user: { userid: 1 } });
});

test('LOAD-13 a device sends its device key only for the same person at the same server', async () => {
  const disk = newDisk();
  const server = new StandInServer();
  const environment = testEnvironment(server.fetch);
  const journal = await openJournal(memoryStore({}, disk.journal), { ...environment });
  const sessions = new Sessions(platformOn(disk, environment), journal);
  for (const [address, email] of [
    [serverAddress, 'ada'],
    [serverAddress, 'Ada '],
    [serverAddress, 'bob'],
    ['https://other.test', 'ada'],
    [serverAddress, 'ada'],
  ] as const)
    await sessions.ask(address, { email, password: 'secret' });
  const shown = server.signIns.map(({ device_key }) => device_key);
  expect(shown).toEqual([undefined, 'key of ada', undefined, undefined, 'key of Ada ']);
});
