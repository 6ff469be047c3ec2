import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type IpcCall, ipcAnswer, ipcCalls } from '#desktop/ipc.ts';
import { IpcRouter } from '#desktop/main/ipc.ts';
import { findBridge } from '#desktop/renderer/platform/bridge.ts';
import { runs } from '#test/support/long-run.ts';

import { ourPage } from './electron-stand-in.ts';
import { recordingHandlers } from './recording-handlers.ts';

const names = Object.keys(ipcCalls) as IpcCall[];

const ignore = (): void => undefined;

describe('the IPC router', () => {
  it('ELECTRON-22 passes no invalid message to a handler and never throws', async () => {
    const reached: [IpcCall, unknown[]][] = [];
    const router = new IpcRouter(recordingHandlers(reached), ignore);
    const text = fc.oneof(fc.string(), fc.constantFrom('segment-00000001', 'a', '../x', 'x/y', '', '\u0000'));
    const value = fc.oneof(
      fc.anything({
        withTypedArray: true,
        withBigInt: true,
        withDate: true,
        withMap: true,
        withNullPrototype: true,
      }),
      text,
      fc.integer(),
      fc.uint8Array(),
      fc.record({ title: text, filters: fc.constant([]), several: fc.boolean() }),
      fc.record({ title: text, suggestedName: text, filters: fc.constant([]), bytes: fc.uint8Array() }),
    );
    const name = fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...names) },
      fc.anything(),
      fc.constantFrom('constructor', '__proto__', 'toString'),
    );
    const args = fc.oneof({ weight: 5, arbitrary: fc.array(value, { maxLength: 5 }) }, value);
    const tries = runs(20_000);
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(name, args, async (call, given) => {
        reached.length = 0;
        const answer = ipcAnswer.parse(await router.answer(ourPage, call, given));
        const valid =
          names.includes(call as IpcCall) && ipcCalls[call as IpcCall].args.safeParse(given).success;
        expect(answer.ok).toBe(valid);
        expect(reached).toHaveLength(valid ? 1 : 0);
        if (valid) accepted += 1;
      }),
      { numRuns: tries },
    );
    expect(accepted).toBeGreaterThan(tries / 200);
  });

  it.each([
    ['journalOpen', ['../../etc']],
    ['journalOpen', ['A']],
    ['journalRead', [1, '../segment-1']],
    ['journalRead', [1, 'a/b']],
    ['journalRemove', [1, '.']],
    ['journalAppend', [1, 'segment-1', -1, new Uint8Array()]],
    ['journalAppend', [1, 'segment-1', 0, 'text']],
    ['saveFile', [{ title: 't', suggestedName: '/etc/passwd', filters: [], bytes: new Uint8Array() }]],
    ['saveFile', [{ title: 't', suggestedName: '..', filters: [], bytes: new Uint8Array() }]],
    ['appInfo', ['more']],
    ['keyCreate', [{ protection: 'system' }]],
    ['keyCreate', [{ protection: 'pin', pin: '123456' }]],
    ['keyCreate', [{ protection: 'file', pin: '481516' }]],
    ['keyProtect', [{ protection: 'none' }]],
    ['keyUnlock', ['']],
    ['keyUnlock', [481516]],
    ['keyAddRecovery', [{ origin: 'https://bench.example/', account: 'a', secret: new Uint8Array(32) }]],
    ['keyAddRecovery', [{ origin: 'file:///etc', account: 'a', secret: new Uint8Array(32) }]],
    ['keyRecover', [{ origin: 'https://bench.example', account: 'a', secret: new Uint8Array(31) }]],
    ['updateFollow', ['file:///media/usb']],
    ['updateFromFolder', [{ title: 't', folder: '/media/usb' }]],
    ['updateInstall', ['0.2.0']],
    ['updateAnswer', [1, 'later']],
  ])('refuses %s with %j', async (name, args) => {
    const reached: [IpcCall, unknown[]][] = [];
    const answer = await new IpcRouter(recordingHandlers(reached), ignore).answer(ourPage, name, args);
    expect(answer).toMatchObject({ ok: false, kind: 'invalid' });
    expect(reached).toEqual([]);
  });

  it('reveals no paths to the page in errors, and logs everything', async () => {
    const failure = new Error("ENOENT: no such file, open '/home/someone/secret'");
    const reported: unknown[] = [];
    const router = new IpcRouter(
      recordingHandlers([], { appInfo: () => Promise.reject(failure) }),
      (...entry) => reported.push(entry),
    );
    expect(await router.answer(ourPage, 'appInfo', [])).toEqual({
      ok: false,
      kind: 'unavailable',
      message: 'The call failed',
    });
    expect(reported).toEqual([['appInfo', failure]]);
  });

  it('blocks results that the table does not declare', async () => {
    const wrong = { version: '1', platform: 'linux', packaged: true, server: null, token: 'secret' };
    const router = new IpcRouter(recordingHandlers([], { appInfo: async () => wrong }), ignore);
    const answer = await router.answer(ourPage, 'appInfo', []);
    expect(answer).toMatchObject({ ok: false, kind: 'unavailable' });
    expect(JSON.stringify(answer)).not.toContain('secret');
  });

  it.each(names)('answers with a timeout when %s hangs', async (name) => {
    const waits: number[] = [];
    const elapsed = Promise.resolve();
    const hanging = recordingHandlers([], { [name]: () => new Promise(() => undefined) });
    const router = new IpcRouter(hanging, ignore, (ms) => {
      waits.push(ms);
      return { elapsed, cancel: ignore };
    });
    expect(await router.answer(ourPage, name, validArgs[name])).toMatchObject({ ok: false, kind: 'timeout' });
    expect(waits).toEqual([ipcCalls[name].timeout]);
  });

  it('waits for running calls before it shuts down, and accepts no new ones', async () => {
    const write = Promise.withResolvers<undefined>();
    const router = new IpcRouter(recordingHandlers([], { journalWrite: () => write.promise }), ignore);
    const order: string[] = [];
    const written = router
      .answer(ourPage, 'journalWrite', validArgs.journalWrite)
      .then(() => order.push('written'));
    const drained = router.drain().then(() => order.push('drained'));
    expect(await router.answer(ourPage, 'appInfo', [])).toMatchObject({ ok: false, kind: 'closing' });
    expect(order).toEqual([]);
    write.resolve(undefined);
    await Promise.all([written, drained]);
    expect(order.toSorted()).toEqual(['drained', 'written']);
  });

  it('closes the app even if a dead disk does not respond', async () => {
    const router = new IpcRouter(
      recordingHandlers([], { journalWrite: () => new Promise(() => undefined) }),
      ignore,
      (ms) => ({
        elapsed: ms === 30_000 ? Promise.resolve() : new Promise(() => undefined),
        cancel: ignore,
      }),
    );
    void router.answer(ourPage, 'journalWrite', validArgs.journalWrite);
    await router.drain();
  });
});

describe('the bridge of the page', () => {
  it('gives typed results and errors with their kind', async () => {
    const router = new IpcRouter(recordingHandlers(), ignore);
    const page = {
      benchbook: { call: (name: string, args: unknown[]) => router.answer(ourPage, name, args) },
    };
    const bridge = findBridge(page);
    expect(await bridge?.appInfo()).toEqual({
      version: '1',
      platform: 'linux',
      packaged: true,
      server: null,
    });
    await expect(bridge?.journalOpen('../x')).rejects.toMatchObject({ name: 'IpcError', kind: 'invalid' });
    expect(Reflect.get(bridge ?? {}, 'then')).toBeUndefined();
    expect(findBridge({} as Window)).toBeUndefined();
  });
});

const validArgs: { [C in IpcCall]: unknown[] } = {
  appInfo: [],
  useLanguage: ['de'],
  journalOpen: ['a'],
  journalList: [1],
  journalRead: [1, 'a'],
  journalAppend: [1, 'a', 0, new Uint8Array()],
  journalPut: [1, 'a', 0, new Uint8Array()],
  journalFlush: [1, 'a'],
  journalWrite: [1, 'a', new Uint8Array()],
  journalRemove: [1, 'a'],
  journalSize: [1, 'a'],
  journalReadPart: [1, 'a', 0, 1],
  journalSaveAs: [1, 'a', { title: 't', suggestedName: 'a.omanual', filters: [] }],
  journalReleaseBallast: [1],
  journalReserveBallast: [1],
  journalClose: [1],
  keyState: [],
  keyCreate: [{ protection: 'pin', pin: '481516' }],
  keyUnlock: ['481516'],
  keyProtect: [{ protection: 'system' }],
  keyAddRecovery: [{ origin: 'https://bench.example', account: 'ada', secret: new Uint8Array(32) }],
  keyRecover: [{ origin: 'https://bench.example', account: 'ada', secret: new Uint8Array(32) }],
  keySetAside: [],
  notice: [],
  readyToClose: [true],
  openedFiles: [0],
  openedFileRead: [1, 0, 1],
  openedFileDone: [1],
  signInListen: [],
  signInWait: [],
  signInEnd: [],
  remoteOpen: ['https://elsewhere.test/a.omanual', { range: 'bytes=5-', ifRange: '"v1"' }],
  remoteAllow: ['https://elsewhere.test/a.omanual'],
  remoteRead: [1],
  remoteClose: [1],
  updateState: [0],
  updateFollow: ['https://bench.example'],
  updateLook: [],
  updateFromFolder: [{ title: 't' }],
  updateInstall: [],
  updateAnswer: [1, 'order'],
  updateConfirm: [],
  stationLock: [true],
  openFiles: [{ title: 't', filters: [], several: false }],
  saveFile: [{ title: 't', suggestedName: 'a.zip', filters: [], bytes: new Uint8Array() }],
  savePdf: [{ title: 't', suggestedName: 'a.pdf' }],
};
