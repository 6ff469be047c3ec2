import { firstValueFrom } from 'rxjs';
import { expect, test } from 'vitest';

import { GuideDraft } from '#desktop/engine/drafts/guide-draft.ts';
import { serverClient } from '#desktop/engine/actions/server-client.ts';
import { comments } from '#shared/api/comments.ts';

import { commentOn, inSync, newDisk, signIn, startDevice } from './support/device.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';

test('OUTBOX-29 a call stores no NUL, and one refused because of NUL is sent again without it', async () => {
  const disk = newDisk();
  const server = new StandInServer();
  const device = await startDevice(server, disk);
  await signIn(device);
  await inSync(device);
  server.setUp(false);
  const { outbox } = device.core;
  const [call] = await outbox.add([{ ...commentOn('1', 'Bel\0t'), subject: 'Gui\0de' }]);
  expect(call).toMatchObject({ body: { text: 'Belt' }, subject: 'Guide' });
  const id = call?.id ?? '';
  await outbox.change(id, { state: 'parked' });
  await outbox.change(id, { state: 'queued', body: { text: 'A\0B' } });
  const [now] = await firstValueFrom(outbox.calls);
  expect(now).toMatchObject({ state: 'queued', body: { text: 'AB' } });
  await device.close();
});

test('OUTBOX-29 a draft stores no NUL', () => {
  using draft = GuideDraft.open({ base: null, random: () => 0.5 });
  draft.apply({ op: 'setText', field: 'title', value: 'Fit\0 the belt' });
  expect(draft.content().title).toBe('Fit the belt');
});

test('OUTBOX-29 direct requests to the server contain no NUL', async () => {
  const bodies: unknown[] = [];
  const request = async (_: string, init?: RequestInit): Promise<Response> => {
    bodies.push(init?.body);
    throw new TypeError('fetch failed');
  };
  const client = serverClient({ request }, { comments });
  await client.comments
    .create({ params: { context: 'guide', contextid: '1' }, body: { text: String.raw`a\u0000` + '\0b' } })
    .catch(() => undefined);
  expect(bodies).toEqual([JSON.stringify({ text: String.raw`a\u0000b` })]);
});
