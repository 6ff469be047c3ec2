import { setTimeout as pause } from 'node:timers/promises';

import { startServer } from '#test/support/server.ts';

import type { Fault, Passing } from './failing-proxy.ts';
import type { World } from './world.ts';

function page(status: number, body: string, type = 'text/html'): Fault {
  return { kind: 'answer', with: { status, headers: { 'content-type': type }, body: Buffer.from(body) } };
}

/** Changes each line of a response that is a JSON object. */
function eachLine(how: (line: Record<string, unknown>, index: number) => unknown): Fault {
  const rewrite = ({ body, ...rest }: Passing): Passing => {
    const lines = body.toString().trimEnd().split('\n');
    const changed = lines.map((line, index) =>
      JSON.stringify(how(JSON.parse(line) as Record<string, unknown>, index)),
    );
    return { ...rest, body: Buffer.from(changed.map((line) => `${line}\n`).join('')) };
  };
  return { kind: 'rewrite', how: rewrite };
}

/** A refusal of the server itself, of the whole request. */
function refusal(status: number, code: string, headers: Record<string, string> = {}): Fault {
  return { kind: 'refuse', status, code, headers };
}

/** Leaves out the last line. */
const withoutTail: Fault = {
  kind: 'rewrite',
  how: ({ body, ...rest }) => {
    const lines = body.toString().trimEnd().split('\n').slice(0, -1);
    return { ...rest, body: Buffer.from(lines.map((line) => `${line}\n`).join('')) };
  },
};

/** Pages that stand between client and server; none of them may change anything. */
const strangers: Record<string, Fault> = {
  'a portal with 200': page(200, '<html>Sign in to the network</html>'),
  'a portal with 511': page(511, '<html>Network authentication required</html>'),
  'a proxy with 401': page(401, 'Proxy says no', 'text/plain'),
  'a proxy with 403': page(403, '{"error":"blocked"}', 'application/json'),
  'a proxy with 404': page(404, '<html>Not found</html>'),
  'a proxy with 410': page(410, 'Gone', 'text/plain'),
  'a gateway with 502': page(502, '<html>Bad gateway</html>'),
  'an empty 200': page(200, '', 'application/x-ndjson'),
  'other JSON': page(200, '{"hello":"world"}', 'application/json'),
  'a bare array': page(200, '[]', 'application/json'),
};

/** What a client must do, by what happens. A scenario throws when it does not. */
export const scenarios: Record<string, (world: World) => Promise<void>> = {
  'the first load equals the server': async (world) => {
    await world.guide('One');
    await world.guide('Hidden', false);
    await world.open();
    await world.mustSync();
    await world.mustEqual();
    await world.reopen();
    await world.mustEqual();
  },

  'changes, deletions and pages of changes arrive': async (world) => {
    const { guideid, revisionid } = await world.guide('One');
    await world.open();
    await world.mustSync();
    for (let n = 0; n < 12; n += 1) await world.guide(`Page ${n}`, n % 2 === 0);
    for (let n = 0; n < 560; n += 1)
      await world.ana.call('PUT', `/guides/${guideid}/tag`, { tag: `tag ${n % 7} ${n}` });
    await world.ana.call('DELETE', `/guides/${guideid}?revisionid=${revisionid}`);
    await world.mustSync();
    await world.mustEqual();
  },

  'records follow the rights of their reader': async (world) => {
    const { guideid } = await world.guide('Of a team', false);
    await world.open();
    await world.mustSync();
    const teamid = await world.teamFor(guideid);
    await world.member(teamid, true);
    await world.mustSync();
    await world.mustEqual();
    await world.member(teamid, false);
    await world.mustSync();
    await world.mustEqual();
    await world.member(teamid, true);
    await world.mustSync();
    await world.mustEqual();
  },

  'a load or pull that is cut is continued': async (world) => {
    for (let n = 0; n < 8; n += 1) await world.guide(`Guide ${n}`);
    await world.open();
    for (const after of [0, 150, 1500, 4000]) {
      world.proxy.fail(/bootstrap/, { kind: 'cut', after });
      await world.client.sync();
    }
    await world.mustSync();
    await world.mustEqual();
    await world.guide('Later');
    world.proxy.fail(/pull/, { kind: 'cut', after: 300 });
    await world.client.sync();
    await world.mustSync();
    await world.mustEqual();
  },

  'a response without its tail does not move the checkpoint': async (world) => {
    await world.open();
    await world.mustSync();
    await world.guide('Before');
    world.proxy.fail(/pull/, {
      kind: 'rewrite',
      how: ({ body, ...rest }) => ({ ...rest, body: Buffer.from(`${body.toString().split('\n')[0]}\n`) }),
    });
    await world.client.sync();
    world.proxy.fail(/pull/, withoutTail);
    await world.client.sync();
    await world.mustSync();
    await world.mustEqual();
  },

  'calls that build on each other arrive in order': async (world) => {
    await world.open();
    await world.mustSync();
    await world.queueGuide('Ours');
    await world.mustSync();
    await world.mustQueue({});
    await world.mustEqual();
    const records = Object.keys(await world.client.records());
    if (!records.some((name) => name.startsWith('comments/'))) throw new Error('the comment did not arrive');
  },

  'a temporary id can be used in a later batch': async (world) => {
    await world.open();
    await world.mustSync();
    const { guide } = await world.queueGuide('First');
    await world.mustSync();
    await world.client.call({
      lane: 'another',
      method: 'PUT',
      path: `/guides/tmp:${guide}/tag`,
      body: { tag: 'later' },
    });
    await world.mustSync();
    await world.mustQueue({});
    await world.mustEqual();
  },

  'a call whose response is lost takes effect once': async (world) => {
    await world.open();
    await world.mustSync();
    await world.queueGuide('Once');
    world.proxy.fail(/batch/, { kind: 'lose' });
    await world.mustFail('network');
    world.proxy.fail(/batch/, { kind: 'cut', after: 400 });
    await world.client.sync();
    await world.mustSync();
    await world.mustQueue({});
    await world.mustEqual();
    const titles = await world.titles();
    if (titles.join() !== 'Once') throw new Error(`the server has the guides ${titles.join()}`);
  },

  'what is queued survives a kill': async (world) => {
    await world.open();
    await world.mustSync();
    for (const [n, afterMs] of [0, 15, 40, 80, 150].entries()) {
      await world.queueGuide(`Killed ${n}`);
      await world.client.syncAndDie(afterMs);
      await world.open();
    }
    await world.mustSync();
    await world.mustQueue({});
    await world.mustEqual();
    const titles = await world.titles();
    const wanted = [0, 1, 2, 3, 4].map((n) => `Killed ${n}`);
    if (titles.join() !== wanted.join()) throw new Error(`the server has the guides ${titles.join()}`);
  },

  'a conflict is kept, and stops only its lane': async (world) => {
    const { guideid } = await world.guide('Common');
    const own = await world.ben.client.guides.create({
      body: { category: 'Bench Grinder', type: 'repair', title: 'Own', public: true },
    });
    await world.open();
    await world.mustSync();
    await world.ben.call('PATCH', `/guides/${own.guideid}?revisionid=${own.revisionid}`, {
      title: 'Own, elsewhere',
    });
    const first = await world.client.call(world.retitle(own.guideid, own.revisionid, 'Own, here'));
    const second = await world.client.call(world.retitle(own.guideid, 'previous', 'Own, again'));
    await world.client.call({
      lane: 'comments',
      method: 'POST',
      path: `/comments/guide/${guideid}`,
      body: { text: 'In another lane' },
    });
    await world.mustSync();
    await world.mustQueue({ [first]: 'conflict', [second]: 'waiting' });
    await world.mustEqual();
    await world.reopen();
    await world.mustSync();
    await world.mustQueue({ [first]: 'conflict', [second]: 'waiting' });
  },

  'a refused call is kept, and stops only its lane': async (world) => {
    await world.open();
    await world.mustSync();
    const refused = await world.client.call(world.retitle(999, 1, 'Nowhere'));
    await world.queueGuide('Allowed');
    await world.mustSync();
    await world.mustQueue({ [refused]: 'refused' });
    await world.mustEqual();
    world.proxy.seen.length = 0;
    await world.mustSync();
    if (world.proxy.seen.some(({ path }) => path.endsWith('/batch')))
      throw new Error('a refused call was sent again');
  },

  'a session that ended keeps everything until the next': async (world) => {
    await world.open();
    await world.mustSync();
    const { guide, comment } = await world.queueGuide('Signed out');
    await world.ben.call('DELETE', '/user/token');
    await world.mustFail('signed-out');
    await world.mustQueue({ [guide]: 'waiting', [comment]: 'waiting' });
    await world.open(await world.newToken());
    await world.mustSync();
    await world.mustQueue({});
    await world.mustEqual();
  },

  ...Object.fromEntries(
    Object.entries(strangers).map(([name, fault]) => [
      `${name} changes nothing`,
      async (world: World) => {
        await world.guide('One');
        await world.open();
        world.proxy.fail(/bootstrap/, fault);
        await world.mustFail('network');
        await world.mustSync();
        const before = JSON.stringify(await world.client.records());
        const { guide, comment } = await world.queueGuide('Behind a portal');
        world.proxy.fail(/./, fault, 3);
        await world.mustFail('network');
        world.proxy.heal();
        await world.mustQueue({ [guide]: 'waiting', [comment]: 'waiting' });
        if (JSON.stringify(await world.client.records()) !== before) throw new Error('the copy changed');
        await world.mustSync();
        await world.mustQueue({});
        await world.mustEqual();
      },
    ]),
  ),

  'a response to another request changes nothing': async (world) => {
    const { guideid, revisionid } = await world.guide('Old');
    await world.open();
    await world.mustSync();
    await world.mustSync();
    const old = [...world.proxy.passed].find(([path]) => path.endsWith('/pull'))?.[1];
    if (old === undefined) throw new Error('nothing was pulled');
    await world.ana.call('PATCH', `/guides/${guideid}?revisionid=${revisionid}`, { title: 'New' });
    world.proxy.fail(/pull/, { kind: 'answer', with: old });
    await world.mustFail('network');
    await world.mustSync();
    await world.mustEqual();
  },

  'an older row does not replace a newer one': async (world) => {
    const { guideid, revisionid } = await world.guide('Old');
    await world.open();
    await world.mustSync();
    const loaded = [...world.proxy.passed].find(([path]) => path.endsWith('/bootstrap'))?.[1];
    const old = loaded?.body
      .toString()
      .split('\n')
      .find((line) => line.startsWith('{"c":"guides"'));
    if (old === undefined) throw new Error('no guide was loaded');
    await world.ana.call('PATCH', `/guides/${guideid}?revisionid=${revisionid}`, { title: 'New' });
    await world.mustSync();
    await world.guide('Another');
    const withOld = ({ body, ...rest }: Passing): Passing => {
      const [head, ...lines] = body.toString().split('\n');
      return { ...rest, body: Buffer.from([head, old, ...lines].join('\n')) };
    };
    world.proxy.fail(/pull/, { kind: 'rewrite', how: withOld });
    await world.mustSync();
    await world.mustEqual();
  },

  'a busy server is asked again later': async (world) => {
    await world.open();
    await world.mustSync();
    const { guide, comment } = await world.queueGuide('Later');
    world.proxy.fail(/sync\/1/, refusal(503, 'unavailable', { 'retry-after': '1' }), 3);
    await world.mustFail('busy');
    world.proxy.heal();
    await world.mustQueue({ [guide]: 'waiting', [comment]: 'waiting' });
    await pause(1100);
    await world.mustSync();
    await world.mustQueue({});
    await world.mustEqual();
  },

  'additions are ignored': async (world) => {
    await world.guide('One');
    await world.open();
    const more = eachLine((line, index) => ({
      ...line,
      ...(index === 0 ? { weather: 'fine' } : { mood: { of: 1 } }),
    }));
    world.proxy.fail(/bootstrap/, more);
    await world.mustSync();
    await world.mustEqual();
    await world.queueGuide('Two');
    world.proxy.fail(/batch/, more);
    world.proxy.fail(/pull/, more);
    await world.mustSync();
    await world.mustQueue({});
    await world.mustEqual();
  },

  'another server gets nothing': async (world) => {
    await world.open();
    await world.mustSync();
    const { guide, comment } = await world.queueGuide('For one server');
    const before = JSON.stringify(await world.client.records());
    await using other = await startServer({ checked: false });
    const home = world.proxy.target;
    world.proxy.target = other.url;
    await world.mustFail('other-server');
    await world.mustQueue({ [guide]: 'waiting', [comment]: 'waiting' });
    if (JSON.stringify(await world.client.records()) !== before) throw new Error('the copy changed');
    world.proxy.target = home;
    await world.mustSync();
    await world.mustQueue({});
    await world.mustEqual();
  },

  'a restored server gets back what it forgot': async (world) => {
    await world.guide('Before the backup');
    await world.open();
    await world.mustSync();
    await world.backup();
    await world.queueGuide('After the backup');
    await world.guide('Of Ana, lost');
    await world.mustSync();
    await world.reopen();
    await world.restore();
    await world.queueGuide('After the restore');
    await world.open();
    for (let turn = 0; turn < 4; turn += 1) await world.client.sync();
    await world.mustSync();
    await world.mustQueue({});
    await world.mustEqual();
    const titles = await world.titles();
    const wanted = ['After the backup', 'After the restore', 'Before the backup'];
    if (titles.join() !== wanted.join()) throw new Error(`the server has the guides ${titles.join()}`);
  },

  'a server that is too new is waited for': async (world) => {
    await world.open();
    await world.mustSync();
    const { guide, comment } = await world.queueGuide('For later');
    world.proxy.fail(/sync\/1/, refusal(426, 'client-too-old'), 3);
    await world.mustFail('version');
    world.proxy.heal();
    await world.mustQueue({ [guide]: 'waiting', [comment]: 'waiting' });
    await world.mustSync();
    await world.mustQueue({});
  },
};
