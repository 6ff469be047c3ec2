import { type IpcCall, ipcCalls } from '#desktop/ipc.ts';
import type { IpcHandlers } from '#desktop/main/ipc.ts';

const names = Object.keys(ipcCalls) as IpcCall[];

const openKey = {
  state: 'open',
  key: new Uint8Array(32),
  protection: 'pin',
  id: '0123456789abcdef',
  device: '3f0c2b6e-8a1d-4c57-9b43-0d6f5e2a7c18',
  hasSystem: false,
  recoverable: [{ origin: 'https://bench.example', account: 'ada' }],
};

/** Handlers that record their calls and answer with the examples of the table, with `change` applied. */
export function recordingHandlers(
  reached: [IpcCall, unknown[]][] = [],
  change: Partial<IpcHandlers> = {},
): IpcHandlers {
  const results: { [C in IpcCall]: unknown } = {
    appInfo: { version: '1', platform: 'linux', packaged: true, server: null },
    useLanguage: undefined,
    journalOpen: 1,
    journalList: [],
    journalRead: undefined,
    journalAppend: undefined,
    journalPut: undefined,
    journalFlush: undefined,
    journalWrite: undefined,
    journalRemove: undefined,
    journalSize: 0,
    journalReadPart: new Uint8Array(),
    journalSaveAs: true,
    journalReleaseBallast: true,
    journalReserveBallast: true,
    journalClose: undefined,
    keyState: { state: 'new', hasSystem: false },
    keyCreate: openKey,
    keyUnlock: openKey,
    keyProtect: openKey,
    keyAddRecovery: undefined,
    keyRecover: openKey,
    keySetAside: { state: 'unreadable', kind: 'disk' },
    notice: 'none',
    readyToClose: 'close',
    openedFiles: [],
    openedFileRead: new Uint8Array(),
    openedFileDone: undefined,
    remoteOpen: { ticket: 1, status: 200, headers: {} },
    remoteAllow: true,
    remoteRead: undefined,
    remoteClose: undefined,
    signInListen: 'http://127.0.0.1:1/a',
    signInWait: null,
    signInEnd: undefined,
    updateState: { number: 1, installed: '0.1.0', left: null, status: { phase: 'off' } },
    updateFollow: undefined,
    updateLook: undefined,
    updateFromFolder: true,
    updateInstall: undefined,
    updateAnswer: undefined,
    updateConfirm: undefined,
    stationLock: undefined,
    openFiles: [],
    saveFile: true,
    savePdf: true,
  };
  const all = names.map((name) => [
    name,
    async (...args: unknown[]) => {
      reached.push([name, args]);
      return results[name];
    },
  ]);
  return { ...(Object.fromEntries(all) as IpcHandlers), ...change };
}
