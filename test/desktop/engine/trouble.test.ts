import { Dexie } from 'dexie';
import { expect, test } from 'vitest';
import { z } from 'zod';

import { JournalError } from '#desktop/engine/journal/journal.ts';
import { NotNow, OtherHistory, SignInNeeded, Unreachable } from '#desktop/engine/sync/connection-errors.ts';
import { troubleOf } from '#desktop/engine/sync/trouble.ts';
import { IpcError } from '#desktop/ipc.ts';
import { Problem } from '#shared/api/problem.ts';

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('It did not throw');
}

const raw: [string, unknown, RegExp][] = [
  ['invalid JSON', thrownBy(() => JSON.parse('<html>')), /can’t be read/],
  ['a schema', thrownBy(() => z.strictObject({ a: z.int() }).parse({})), /can’t be read/],
  ['a full database', new DOMException('', 'QuotaExceededError'), /no space left/],
  [
    'a full database behind another error',
    new Error('write', { cause: new DOMException('', 'QuotaExceededError') }),
    /no space left/,
  ],
  [
    'a full database whose transaction ended',
    new Dexie.AbortError(new DOMException('', 'QuotaExceededError')),
    /no space left/,
  ],
  ['a full journal', new JournalError('no-space', 'ENOSPC'), /no space left/],
  ['an unavailable journal', new JournalError('unavailable', 'EIO'), /can’t store your work/],
  ['an invariant', new Error('Expected step 90945'), /Something went wrong/],
  ['a value that is not an error', 'odd', /Something went wrong/],
  ['a problem without a message', new Problem('unavailable', ''), /Something went wrong/],
  ['a lost connection', new Unreachable('The event stream ended'), /can’t be reached/],
  ['a temporary refusal', new NotNow(503, null), /can’t do this at the moment/],
  ['an expired token', new SignInNeeded('The sign-in is no longer good'), /Sign in again/],
  ['another history', new OtherHistory('The server has another history'), /restored from a backup/],
  ['a full disk in the desktop app', new IpcError('no-space', 'ENOSPC'), /no space left/],
];

test.each(raw)(
  'OUTBOX-27 %s is reported in a sentence, and its text is kept for support',
  (_, error, words) => {
    const trouble = troubleOf(error);
    expect(trouble.words).toMatch(words);
    expect(trouble.words).toMatch(/^[A-Z][^{}<>[\]]+\.$/);
    expect(trouble.words).not.toMatch(/Error|Unexpected token|Expected|undefined/);
    expect(trouble.detail).toBeTruthy();
    expect(trouble.detail?.length).toBeLessThanOrEqual(500);
  },
);

test('OUTBOX-27 refusals of the server are shown in its own words', () => {
  expect(troubleOf(new Problem('forbidden', 'Only members may do this.'))).toEqual({
    words: 'Only members may do this.',
    detail: null,
  });
});
