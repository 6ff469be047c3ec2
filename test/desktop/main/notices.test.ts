import { describe, expect, it, vi } from 'vitest';

import { Notices } from '#desktop/main/notices.ts';
import { mainTexts } from '#desktop/main/text/en.ts';
import { closeSaved } from '#desktop/main/window.ts';
import { soon } from '#test/support/soon.ts';

import { preventable, StandInWindow } from './electron-stand-in.ts';

/** A window that a person closes; `button`: what they press when not everything could be saved. */
function open(notices: Notices, button = 0) {
  const window = new StandInWindow({} as never);
  const closed: string[] = [];
  const asked: string[] = [];
  closeSaved(window, {
    notices,
    dialog: {
      showMessageBox: async ({ message, buttons }) => {
        asked.push(message, ...buttons);
        return { response: button };
      },
    },
    texts: () => mainTexts,
    mayBegin: () => true,
    closing: () => closed.push('closing'),
    ended: (isClosed) => closed.push(isClosed ? 'closed' : 'open'),
  });
  return { window, closed, asked };
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
    expect(await notices.handlers.readyToClose(true)).toBe('close');
    await soon(() => closed).toEqual(['closing', 'closed']);
    expect(window.did).toEqual(['hide', 'destroy']);
  });

  it('ELECTRON-77 a window whose page does not listen is closed at once', async () => {
    const { window, closed } = open(new Notices(() => undefined));
    window.fire('close', preventable());
    await soon(() => closed).toEqual(['closing', 'closed']);
    expect(window.did).toEqual(['hide', 'destroy']);
  });

  it('ELECTRON-77 a page that is between two questions saves, too', async () => {
    const notices = new Notices(() => undefined);
    const { window } = open(notices);
    const earlier = notices.handlers.notice();
    notices.wake();
    expect(await earlier).toBe('wake');
    window.fire('close', preventable());
    await new Promise((resolve) => setImmediate(resolve));
    expect(window.destroyed).toBe(false);
    expect(await notices.handlers.notice()).toBe('close');
    await notices.handlers.readyToClose(true);
    await soon(() => window.destroyed).toBe(true);
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

  it('ELECTRON-87 a window whose page could not save everything asks, and stays open', async () => {
    const notices = new Notices(() => undefined);
    const { window, closed, asked } = open(notices);
    void notices.handlers.notice();
    window.fire('close', preventable());
    const again = preventable();
    window.fire('close', again);
    expect(again.prevented).toBe(true);
    expect(await notices.handlers.readyToClose(false)).toBe('stay');
    await soon(() => closed).toEqual(['closing', 'open']);
    expect(asked).toEqual(['Not everything could be saved', 'Keep open', 'Close anyway']);
    expect(window.did).toEqual(['hide', 'show']);
    const notice = notices.handlers.notice();
    window.fire('close', preventable());
    expect(await notice).toBe('close');
    await notices.handlers.readyToClose(true);
    await soon(() => closed).toEqual(['closing', 'open', 'closing', 'closed']);
    expect(window.did).toEqual(['hide', 'show', 'hide', 'destroy']);
  });

  it('ELECTRON-56 a page whose window is not closed gets an answer at once', async () => {
    const { handlers } = new Notices(() => undefined);
    expect(await handlers.readyToClose(false)).toBe('stay');
    expect(await handlers.readyToClose(true)).toBe('close');
  });

  it('ELECTRON-87 a person can close the window all the same', async () => {
    const notices = new Notices(() => undefined);
    const { window, closed } = open(notices, 1);
    void notices.handlers.notice();
    window.fire('close', preventable());
    const decision = notices.handlers.readyToClose(false);
    await soon(() => closed).toEqual(['closing', 'closed']);
    expect(window.did).toEqual(['hide', 'destroy']);
    notices.end();
    expect(await decision).toBe('close');
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
