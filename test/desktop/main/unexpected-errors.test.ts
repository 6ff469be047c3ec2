import { describe, expect, it } from 'vitest';

import { restartAfterErrors } from '#desktop/main/unexpected-errors.ts';
import { mainTexts } from '#desktop/main/text/en.ts';
import { soon } from '#test/support/soon.ts';

import { Emitter } from './electron-stand-in.ts';

/** A program that has run for `age` ms, and what happened to it. `save`: what the page does to save. */
function program(age: number, save: () => Promise<void> = async () => undefined) {
  const process = new Emitter();
  const did: string[] = [];
  const lines: string[] = [];
  restartAfterErrors(process, {
    app: { relaunch: () => did.push('relaunch'), exit: (code) => did.push(`exit ${code}`) },
    dialog: { showErrorBox: (title, content) => did.push(`${title}: ${content.split('\n').at(-1)}`) },
    texts: () => mainTexts,
    age: () => age,
    save: async () => {
      did.push('save');
      await save();
    },
    report: (line) => lines.push(line.split('\n')[0] ?? ''),
  });
  return { process, did, lines };
}

describe('an error that no code expected', () => {
  it('ELECTRON-81 saves and starts the program again, once', async () => {
    const { process, did, lines } = program(60_000);
    process.fire('uncaughtException', new TypeError('of a test'));
    process.fire('uncaughtException', new TypeError('another one'));
    await soon(() => did).toEqual(['save', 'relaunch', 'exit 1']);
    expect(lines).toEqual(['uncaught: TypeError: of a test', 'uncaught: TypeError: another one']);
  });

  it('ELECTRON-81 ends the program with a dialog if it has only just started', async () => {
    const { process, did } = program(59_999);
    process.fire('uncaughtException', new TypeError('of a test'));
    await soon(() => did).toEqual([
      'save',
      'Benchbook stopped because of an unexpected error: TypeError: of a test',
      'exit 1',
    ]);
  });

  it('ELECTRON-81 starts the program again if the page cannot save', async () => {
    const { process, did, lines } = program(90_000, () => Promise.reject(new Error('no page')));
    process.fire('uncaughtException', 'a text');
    await soon(() => did).toEqual(['save', 'relaunch', 'exit 1']);
    expect(lines).toEqual(["uncaught: 'a text'", 'save: Error: no page']);
  });

  it('a rejection that nobody handled is only logged', () => {
    const { process, did, lines } = program(90_000);
    process.fire('unhandledRejection', new Error('of a test'));
    expect([did, lines]).toEqual([[], ['unhandled rejection: Error: of a test']]);
  });
});
