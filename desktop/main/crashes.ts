import { inspect } from 'node:util';

import type { Dialog, Window } from './electron.ts';
import { appUrl, isAppUrl } from './origin.ts';
import type { MainTexts } from './text/main-language.ts';
import { isAborted } from './window.ts';

/** After this many crashes within `crashSpan`, a person is asked. */
const mostCrashes = 3;
/** ms */
const crashSpan = 60_000;

export interface CrashCare {
  dialog: Dialog;
  texts: () => MainTexts;
  /** Monotonic time, ms. */
  now: () => number;
  /** Releases what the page that ended had open in the main process. */
  release: () => Promise<void>;
  /** Writes one line to the log. */
  report: (line: string) => void;
}

/**
 * Shows the page again at the same address when its process ended, and asks the person when that happens repeatedly.
 * When the page does not respond, the person can wait or reload it.
 *
 * - ELECTRON-71 After three crashes within a minute, the person chooses between reloading and closing the window.
 * - ELECTRON-72 When the page does not respond, the person can wait or reload it. The question ends by itself when
 *   the page responds again.
 */
export function careForCrashes(window: Window, { dialog, texts, now, release, report }: CrashCare): void {
  const { webContents } = window;
  let crashes: number[] = [];
  let isEndedByPerson = false;
  let question: AbortController | undefined;

  const showAgain = async (): Promise<void> => {
    await release();
    if (window.isDestroyed()) return;
    // A page that ended while it was loading for the first time has no address.
    if (isAppUrl(webContents.getURL())) webContents.reload();
    else await window.loadURL(appUrl);
  };
  const ask = async (): Promise<void> => {
    const { crash: text } = texts();
    const buttons = [text.reload, text.close];
    const { response } = await dialog.showMessageBox({
      type: 'error',
      message: text.stopped,
      detail: text.stoppedHint,
      buttons,
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    });
    if (window.isDestroyed()) return;
    crashes = [];
    if (buttons[response] === text.close) window.destroy();
    else await showAgain();
  };
  const reportError = (error: unknown): void => {
    // The load that was under way when the process ended sometimes goes on.
    if (!isAborted(error)) report(`crash: ${inspect(error)}`);
  };

  webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    question?.abort();
    if (reason === 'clean-exit') return;
    report(`render-process-gone: ${reason} (${exitCode})`);
    const at = now();
    crashes = [...crashes.filter((one) => at - one < crashSpan), ...(isEndedByPerson ? [] : [at])];
    isEndedByPerson = false;
    void (crashes.length < mostCrashes ? showAgain() : ask()).catch(reportError);
  });
  window.on('unresponsive', () => {
    report('unresponsive');
    question?.abort();
    const asked = new AbortController();
    question = asked;
    const { crash: text } = texts();
    const buttons = [text.wait, text.reload];
    void dialog
      .showMessageBox({
        type: 'warning',
        message: text.hangs,
        detail: text.hangsHint,
        buttons,
        defaultId: 0,
        cancelId: 0,
        noLink: true,
        signal: asked.signal,
      })
      .then(({ response }) => {
        if (buttons[response] !== text.reload || asked.signal.aborted || window.isDestroyed()) return;
        isEndedByPerson = true;
        webContents.forcefullyCrashRenderer();
      })
      .catch(reportError);
  });
  window.on('responsive', () => question?.abort());
}
