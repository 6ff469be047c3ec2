import { inspect } from 'node:util';

import type { ErrorBox, Restartable } from './electron.ts';
import type { MainTexts } from './text/main-language.ts';

/** A program that fails this soon after its start would fail again and again, ms. */
const shortestLife = 60_000;
/** Time that the page has to save what was typed, ms. */
const longestSave = 5000;

export interface RestartCare {
  app: Restartable;
  dialog: ErrorBox;
  texts: () => MainTexts;
  /** Time since the program started, ms. */
  age: () => number;
  /** Lets the page save what was typed. */
  save: () => Promise<void>;
  /** Writes one line to the log. */
  report: (line: string) => void;
}

/** Events of `process`. */
interface ErrorEvents {
  on(event: 'uncaughtException' | 'unhandledRejection', listener: (error: unknown) => void): unknown;
}

/**
 * After an error that no code expected, the state of the program is unknown: it saves and starts again. If it has only
 * just started, it says what happened and ends.
 *
 * - ELECTRON-81 After an unexpected error in the main process, the page saves what was typed, for at most 5 s, and
 *   the program starts again at the same page. If the error comes within a minute of the start, a dialog says what
 *   happened, and the program ends.
 */
export function restartAfterErrors(process: ErrorEvents, care: RestartCare): void {
  const { app, dialog, texts, age, save, report } = care;
  let isEnding = false;
  process.on('unhandledRejection', (error) => report(`unhandled rejection: ${inspect(error)}`));
  process.on('uncaughtException', (error) => {
    report(`uncaught: ${inspect(error)}`);
    if (isEnding) return;
    isEnding = true;
    const isYoung = age() < shortestLife;
    const late = new Promise<void>((resolve) => setTimeout(resolve, longestSave));
    void Promise.race([save().catch((failure: unknown) => report(`save: ${inspect(failure)}`)), late]).then(
      () => {
        const { error: text } = texts();
        if (isYoung) dialog.showErrorBox(text.title, `${text.hint}\n\n${firstLine(error)}`);
        else app.relaunch();
        app.exit(1);
      },
    );
  });
}

function firstLine(error: unknown): string {
  const [line = ''] = String(error).split('\n');
  return line;
}
