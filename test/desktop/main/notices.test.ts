import { describe, expect, it, vi } from 'vitest';

import { Notices } from '#desktop/main/notices.ts';
import { closeSaved } from '#desktop/main/window.ts';
import { soon } from '#test/support/soon.ts';

import { preventable, StandInWindow } from './electron-stand-in.ts';

/** A window with a page that listens; `saved` resolves its work. */
function open(notices: Notices) {
  const window = new StandInWindow({} as never);
  const closed: string[] = [];
  closeSaved(window, notices, () => closed.push('closed'));
  return { window, closed };
}

describe('notices to the page', () => {
  it('ELECTRON-77 a window is hidden at once, and closed when its page has saved', async () => {
    const notices = new Notices(() => undefined);
    const { window, closed } = open(notices);
    const notice = notices.handlers.notice();
    const event = preventable();
    window.fire('close', event);
    expect([event.prevented, window.did]).toEqual([true, ['hide']]);
    expect(await notice).toBe('close');
    expect(window.destroyed).toBe(false);
    await notices.handlers.readyToClose();
    await soon(() => closed).toEqual(['closed']);
    expect(window.did).toEqual(['hide', 'destroy']);
  });

  it('ELECTRON-77 a window whose page does not listen is closed at once', async () => {
    const { window, closed } = open(new Notices(() => undefined));
    window.fire('close', preventable());
    await soon(() => closed).toEqual(['closed']);
    expect(window.did).toEqual(['hide', 'destroy']);
  });

  it('ELECTRON-77 a window whose page does not save, or ended, is closed nevertheless', async () => {
    vi.useFakeTimers();
    try {
      const lines: string[] = [];
      const notices = new Notices((line) => lines.push(line));
      const { window } = open(notices);
      void notices.handlers.notice();
      window.fire('close', preventable());
      await vi.advanceTimersByTimeAsync(14_999);
      expect(window.destroyed).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(window.destroyed).toBe(true);
      expect(lines).toEqual(['close: the page did not save in time']);
    } finally {
      vi.useRealTimers();
    }
    const notices = new Notices(() => undefined);
    const { window } = open(notices);
    void notices.handlers.notice();
    window.fire('close', preventable());
    notices.end();
    await soon(() => window.destroyed).toBe(true);
  });

  it('ELECTRON-80 a page hears that the computer woke up; that of an earlier page is not used up', async () => {
    const notices = new Notices(() => undefined);
    const earlier = notices.handlers.notice();
    const waiting = notices.handlers.notice();
    expect(await earlier).toBe('none');
    notices.wake();
    expect(await waiting).toBe('wake');
    notices.wake();
    const next = notices.handlers.notice();
    notices.wake();
    expect(await next).toBe('wake');
  });
});
