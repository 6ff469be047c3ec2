import { expect, test } from 'vitest';

import type { Comment } from '#shared/model/comment.ts';
import type { GuideSummary } from '#shared/model/guide-record.ts';
import type { Wiki } from '#shared/model/wiki-record.ts';
import { must } from '#shared/must.ts';
import { startServer, type TestPerson } from '#test/support/server.ts';
import { makeGuide } from '#test/support/workshop.ts';

import { newDisk } from './support/device.ts';
import { startWholeDevice, type WholeDevice } from './support/whole-device.ts';

async function read<T>(person: TestPerson, path: string): Promise<T> {
  const answer = await person.call('GET', path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body;
}

const words = (contents: string) => ({ displayTitle: '', description: '', contents });

function shown(device: WholeDevice, wikiid: string) {
  return device.shows((page) => page !== null, 'page', wikiid);
}

test('OUTBOX-21 pages of all six kinds are written offline, named after their subject, and sent', async () => {
  await using server = await startServer();
  const ana = await server.person('Ana');
  const { body: team } = await ana.call('POST', '/teams', { name: 'Line B' });
  const { teamid } = team as { teamid: number };
  let url: string | null = server.url;
  await using device = await startWholeDevice(() => url, newDisk());
  const { actions } = device;
  await device.signIn('Ana');
  await device.inSync();
  const person = await device.shows((one) => one?.canWritePage === true, 'person', ana.userid);
  expect(person?.pageid).toBeNull();
  await device.shows((one) => one?.canWritePage === true, 'team', teamid);

  url = null;
  const titles = {
    CATEGORY: 'Lathes',
    ITEM: 'Belt A28',
    INFO: 'Rules of the hall',
    WIKI: 'Torque table',
    TEAM: String(teamid),
    USER: String(ana.userid),
  } as const;
  const made = new Map<string, string>();
  for (const namespace of ['CATEGORY', 'ITEM', 'INFO', 'WIKI', 'TEAM', 'USER'] as const)
    made.set(namespace, await actions.createPage(namespace, titles[namespace], words(`Of ${namespace}`)));
  const pageOf = (namespace: string): string => must(made.get(namespace), namespace);
  for (const [namespace, name] of [
    ['TEAM', 'Line B'],
    ['USER', 'Ana'],
    ['ITEM', 'Belt A28'],
  ] as const)
    expect(await shown(device, pageOf(namespace))).toMatchObject({ displayTitle: name, pending: true });
  expect((await device.look('team', teamid))?.pageid).toBe(pageOf('TEAM'));
  expect(await device.look('person', ana.userid)).toMatchObject({
    pageid: pageOf('USER'),
    canWritePage: false,
  });
  const waiting = await device.look('activity');
  expect(waiting.map(({ subject }) => subject).toSorted()).toEqual(
    ['Ana', 'Belt A28', 'Lathes', 'Line B', 'Rules of the hall', 'Torque table'].toSorted(),
  );

  url = server.url;
  actions.syncNow();
  await device.inSync();
  for (const [namespace, title] of Object.entries(titles))
    expect(await read<Wiki>(ana, `/wikis/${namespace}/${encodeURIComponent(title)}`)).toMatchObject({
      contents_raw: `Of ${namespace}`,
      author: ana.userid,
    });

  url = null;
  for (const namespace of ['TEAM', 'USER', 'INFO']) {
    const page = must(await shown(device, pageOf(namespace)), namespace);
    await actions.savePage(page.wikiid, { ...page.text, contents: `More of ${namespace}` });
  }
  url = server.url;
  actions.syncNow();
  await device.inSync();
  for (const namespace of ['TEAM', 'USER', 'INFO'] as const)
    expect(
      await read<Wiki>(ana, `/wikis/${namespace}/${encodeURIComponent(titles[namespace])}`),
    ).toMatchObject({ contents_raw: `More of ${namespace}` });
});

test('OUTBOX-21 comments, tags, favourites and completions are written offline and sent', async () => {
  await using server = await startServer();
  await server.category('Bench Grinder');
  const ana = await server.person('Ana');
  const guide = await makeGuide(ana);
  const rules = await ana.call('POST', '/wikis', {
    namespace: 'INFO',
    title: 'Rules',
    contents: 'Wear goggles.',
  });
  const { wikiid } = rules.body as Wiki;
  const guideid = String(guide.guideid);
  let url: string | null = server.url;
  await using device = await startWholeDevice(() => url, newDisk());
  const { actions } = device;
  await device.signIn('Ana');
  await device.inSync();
  await device.shows((one) => one !== null, 'guide', guideid);

  url = null;
  await actions.favorite(guideid, true);
  await actions.complete(guideid, true);
  await actions.tagGuide(guideid, 'belts', true);
  await actions.tagPage(String(wikiid), 'safety', true);
  await actions.comment('guide', guideid, 'On the guide');
  await actions.comment('step', String(must(guide.steps[0], 'a step').stepid), 'On the step');
  const onPage = await actions.comment('wiki', String(wikiid), 'On the page');
  await actions.editComment(onPage, 'On the page, again');
  expect(await device.look('guide', guideid)).toMatchObject({
    favorite: true,
    completed: true,
    tags: ['belts'],
  });
  expect(await device.look('page', String(wikiid))).toMatchObject({ tags: ['safety'] });

  url = server.url;
  actions.syncNow();
  await device.inSync();
  const favorites = await read<{ guide: GuideSummary }[]>(ana, '/user/favorites/guides');
  const completions = await read<GuideSummary[]>(ana, '/user/completions');
  expect([favorites[0]?.guide.guideid, completions[0]?.guideid]).toEqual([guide.guideid, guide.guideid]);
  expect(await read(ana, `/guides/${guideid}/tags`)).toEqual(['belts']);
  expect(await read(ana, '/wikis/INFO/Rules/tags')).toEqual(['safety']);
  const comments = await read<Comment[]>(ana, '/comments');
  expect(Object.fromEntries(comments.map(({ context, text_raw }) => [context, text_raw]))).toEqual({
    guide: 'On the guide',
    step: 'On the step',
    wiki: 'On the page, again',
  });

  url = null;
  await actions.favorite(guideid, false);
  await actions.complete(guideid, false);
  await actions.tagGuide(guideid, 'belts', false);
  url = server.url;
  actions.syncNow();
  await device.inSync();
  expect(await read(ana, '/user/favorites/guides')).toEqual([]);
  expect(await read(ana, '/user/completions')).toEqual([]);
  expect(await read(ana, `/guides/${guideid}/tags`)).toEqual([]);
});
