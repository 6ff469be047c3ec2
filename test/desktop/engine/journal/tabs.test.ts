import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { tabChannel } from '#desktop/engine/journal/channel.ts';
import { JournalClient } from '#desktop/engine/journal/client.ts';
import { scanSegment } from '#desktop/engine/journal/format.ts';
import { serveJournal } from '#desktop/engine/journal/shared-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { must } from '#shared/must.ts';
import { runs } from '#test/support/long-run.ts';

import { Browser } from './tabs.ts';
import { open, outboxOf, put } from './world.ts';

describe('a journal shared by tabs', () => {
  it('JOURNAL-14 answers a follower only after the leader has written', async () => {
    const browser = new Browser();
    await browser.open();
    const follower = await browser.open();
    await follower.append([put('a', { bytes: new Uint8Array([1]) })]);
    expect(await outboxOf(await open(memoryStore({}, browser.disk)))).toEqual({
      a: { bytes: new Uint8Array([1]) },
    });
    expect(await outboxOf(follower)).toEqual({ a: { bytes: new Uint8Array([1]) } });
  });

  it('JOURNAL-14 forwards files, refusals and the health', async () => {
    const browser = new Browser();
    const leader = await browser.open();
    const follower = await browser.open();
    await follower.putFile('photo', new Uint8Array([7]), { type: 'image/png', name: 'p.png' });
    expect([...(await leader.readFile('photo')).bytes]).toEqual([7]);
    expect(await follower.listFiles()).toEqual(await leader.listFiles());
    expect(Object.keys(await follower.exportAll())).toEqual(Object.keys(await leader.exportAll()));
    await follower.deleteFile('photo');
    await expect(follower.readFile('photo')).rejects.toMatchObject({ kind: 'missing' });
    await expect(follower.append([put('a', Number.NaN)])).rejects.toMatchObject({ kind: 'invalid' });
    expect(follower.health()).toEqual(leader.health());
  });

  it('JOURNAL-17 accepts deferrable records from a follower too', async () => {
    const browser = new Browser();
    const leader = await browser.open();
    const follower = await browser.open();
    browser.fill();
    await expect(follower.append([put('a', 1)])).rejects.toMatchObject({ kind: 'no-space' });
    for (const one of [leader, follower]) await one.append([put('b', 2)], { canWait: true });
    expect(await outboxOf(leader)).toEqual({ b: 2 });
  });

  it('JOURNAL-14 hands over when the leader closes, and keeps its records', async () => {
    const browser = new Browser();
    const leader = await browser.open();
    const follower = await browser.open();
    await leader.append([put('a', 1)]);
    await leader.close();
    await follower.append([put('b', 2)]);
    expect(await outboxOf(follower)).toEqual({ a: 1, b: 2 });
    await expect(leader.append([put('c', 3)])).rejects.toMatchObject({ kind: 'closed' });
  });

  it('JOURNAL-14 lets a follower close without a trace', async () => {
    const browser = new Browser();
    const leader = await browser.open();
    const follower = await browser.open();
    await follower.close();
    await leader.close();
    expect(browser.leader).toBeUndefined();
  });

  it('JOURNAL-14 repeats a call to the next leader when the leader is killed before it answers', async () => {
    const browser = new Browser();
    await browser.open();
    const follower = await browser.open();
    const saved = follower.append([put('a', 1)]);
    must(browser.leader, 'a leader').kill();
    await saved;
    expect(await outboxOf(await open(memoryStore({}, browser.disk)))).toEqual({ a: 1 });
  });

  it('JOURNAL-14 repeats a call to the next leader, a third tab, when the leader is closed before it answers', async () => {
    const browser = new Browser();
    await browser.open();
    const next = await browser.open();
    const writer = await browser.open();
    const saved = writer.append([put('a', 1)]);
    must(browser.leader, 'a leader').kill();
    await next.append([put('b', 2)]);
    expect(browser.leader).toBe(browser.tabs[1]);
    await writer.append([put('c', 3)]);
    expect(await outboxOf(next)).toEqual({ a: 1, b: 2, c: 3 });
    await saved;
  });

  it('JOURNAL-14 loses and doubles nothing, however often leaders are killed during a write', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ crashAt: fc.nat(8), tornBytes: fc.nat(400) }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(3), { minLength: 1, maxLength: 12 }),
        handOverRun,
      ),
      { numRuns: runs(400) },
    );
  });

  it('JOURNAL-14 works over a message port', async () => {
    const { port1, port2 } = new MessageChannel();
    const journal = await open(memoryStore());
    const stop = serveJournal(journal, tabChannel(port1), 'leader');
    port1.start();
    let ids = 0;
    const client = new JournalClient(
      tabChannel(port2),
      'me',
      () => `call-${String((ids += 1))}`,
      async () => port2.close(),
    );
    port2.start();
    await client.ready;
    port2.postMessage({ kind: 'call', nonsense: true });
    port1.postMessage('nonsense');
    await client.append([put('a', 1)]);
    expect(await outboxOf(journal)).toEqual({ a: 1 });
    await client.close();
    stop();
  });

  it('JOURNAL-14 reports that the tab that should lead cannot open the store', async () => {
    const browser = new Browser();
    browser.disk.set('segment-00000001', new Uint8Array());
    browser.disk.get = () => {
      throw new Error('The disk is gone');
    };
    await expect(browser.open()).rejects.toMatchObject({ kind: 'unavailable', message: 'The disk is gone' });
  });
});

/** A person writes in the last tab while the earlier tabs lead and are killed one after the other. */
async function handOverRun(
  deaths: readonly { crashAt: number; tornBytes: number }[],
  ids: readonly number[],
): Promise<void> {
  const browser = new Browser();
  for (const { crashAt, tornBytes } of deaths) {
    // A first leader killed while it opens the store never answers; the next tab takes over.
    void browser.open(crashAt, tornBytes).catch(() => undefined);
  }
  const writer = await browser.open();
  const other = await browser.open();
  const history: string[] = [];
  for (const [index, id] of ids.entries()) {
    const value = `${String(index)}`;
    await Promise.all([
      writer.append([put(`w${String(id)}`, value), put(`count${String(index)}`, 1)]),
      other.append([put(`o${String(id)}`, value)]),
    ]);
    history[id] = value;
  }
  const expected = Object.fromEntries([
    ...ids.map((_, index) => [`count${String(index)}`, 1]),
    ...Object.entries(history).flatMap(([id, value]) => [
      [`w${id}`, value],
      [`o${id}`, value],
    ]),
  ]);
  expect(await outboxOf(await open(memoryStore({}, browser.disk)))).toEqual(expected);
  const written = [...browser.disk].flatMap(([, bytes]) => scanSegment(bytes, 1).frames);
  expect(written).toHaveLength(2 * ids.length);
}
