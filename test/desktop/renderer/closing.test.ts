import { describe, expect, it } from 'vitest';

import type { Engine } from '#desktop/engine/engine.ts';
import { JournalError } from '#desktop/engine/journal/store.ts';
import { followNotices, trackActions } from '#desktop/renderer/platform/notices.ts';
import { makeFixtureEngine } from '#test/support/fixture-engine.ts';
import { soon } from '#test/support/soon.ts';

type Notice = 'close' | 'wake' | 'none';

/** A page on a disk that may be full, and the main process, which answers `decision`. */
function page(decision: 'close' | 'stay' = 'stay') {
  const disk = { isFull: false, waits: false, isStuck: false };
  const did: string[] = [];
  let tell: (notice: Notice) => void = () => undefined;
  const refuse = (): void => {
    if (disk.isFull) throw new JournalError('no-space', 'The disk is full');
  };
  const fixture = makeFixtureEngine();
  const engine: Engine = {
    ...fixture,
    actions: {
      ...fixture.actions,
      favorite: async (id) => {
        if (id === '2') throw new DOMException('Encountered full disk', 'QuotaExceededError');
        refuse();
      },
      complete: () => new Promise(() => undefined),
    },
    save: async () => {
      did.push('save');
      if (disk.isStuck) await new Promise(() => undefined);
      refuse();
    },
    waitsForDisk: () => disk.waits,
    close: async () => void did.push('close engine'),
  };
  const tracked = trackActions(engine);
  let handOver = (): void => undefined;
  followNotices(
    {
      notice: () => new Promise<Notice>((resolve) => (tell = resolve)),
      readyToClose: async (isSaved) => {
        did.push(`ready ${isSaved}`);
        return isSaved ? 'close' : decision;
      },
    },
    tracked,
    {
      handOver: () => {
        did.push('hand over');
        handOver();
      },
      end: () => did.push('end'),
      show: () => did.push('show'),
    },
  );
  return {
    disk,
    did,
    close: () => tell('close'),
    /** What the screens do to hand over. */
    handsOver: (run: (actions: Engine['actions']) => void) => {
      handOver = () => run(tracked.engine.actions);
    },
  };
}

describe('a page whose window is closed', () => {
  it('ELECTRON-77 stores what was typed, and then ends', async () => {
    const { did, close } = page();
    close();
    await soon(() => did).toEqual(['hand over', 'save', 'end', 'save', 'close engine', 'ready true']);
  });

  it('ELECTRON-87 keeps its screens when something cannot be stored, and closes as soon as it can', async () => {
    const { did, close, disk } = page();
    disk.isFull = true;
    close();
    await soon(() => did).toEqual(['hand over', 'save', 'ready false', 'show']);
    did.length = 0;
    disk.isFull = false;
    await soon(() => {
      close();
      return did;
    }).toEqual(['hand over', 'save', 'end', 'save', 'close engine', 'ready true']);
  });

  it('ELECTRON-87 reports a value that its field could not store', async () => {
    const { did, close, disk, handsOver } = page();
    handsOver((actions) => {
      disk.isFull = true;
      actions.favorite('1', true).catch(() => (disk.isFull = false));
    });
    close();
    await soon(() => did).toContain('ready false');
    expect(did).not.toContain('close engine');
  });

  it.each([
    { by: 'the disk', waits: true, end: 'ready false' },
    { by: 'the network', waits: false, end: 'ready true' },
  ])('ELECTRON-87 ends with $end when an action waits for $by', async ({ waits, end }) => {
    const { did, close, disk, handsOver } = page();
    disk.waits = waits;
    handsOver((actions) => void actions.complete('1', true));
    close();
    await soon(() => did.find((one) => one.startsWith('ready'))).toBe(end);
  });

  it('ELECTRON-87 asks when the work cannot be saved before the disk has space', async () => {
    const { did, close, disk } = page();
    disk.waits = true;
    disk.isStuck = true;
    close();
    await soon(() => did).toContain('ready false');
    expect(did).not.toContain('close engine');
  });

  it('ELECTRON-87 reports an action that a database refused on a full disk', async () => {
    const { did, close, handsOver } = page();
    handsOver((actions) => {
      actions.favorite('2', true).catch(() => undefined);
    });
    close();
    await soon(() => did).toContain('ready false');
  });

  it('ELECTRON-87 ends without its engine when the person closes it all the same', async () => {
    const { did, close, disk } = page('close');
    disk.isFull = true;
    close();
    await soon(() => did).toEqual(['hand over', 'save', 'ready false']);
  });
});
