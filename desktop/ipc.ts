import { z } from 'zod';

import { updateHold, updateState } from '#shared/model/update-state.ts';
import { pinRefusal } from '#shared/rules/device-pin.ts';

/*
 * All calls from the page to the main process. The main process validates arguments and results against this table;
 * the preload script forwards the calls; `desktop/renderer/platform/bridge.ts` gives them types.
 */

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
/** Bytes with a buffer of their own. */
const piece = z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array);
const shortText = z.string().max(200);
const nothing = z.undefined();

/** The languages of the main process. */
export const mainLanguage = z.enum(['en', 'de']);

/** Name of a journal: one per server and account. */
const journalName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,79}$/);
/** Name of a file in a journal; see `storeName` in the engine's journal. */
const journalFileName = z.string().regex(/^[a-z][a-z0-9-]{0,63}$/);
/** Returned by `journalOpen`. Opening the journal again invalidates earlier leases. */
const lease = z.int().positive();

const filters = z.array(
  z.strictObject({ name: shortText, extensions: z.array(z.string().regex(/^[a-z0-9]{1,10}$/)).min(1) }),
);
/** A file name without any path. */
const baseName = z
  .string()
  .min(1)
  .max(200)
  // oxlint-disable-next-line no-control-regex -- control characters are what must not be in a file name
  .regex(/^[^/\\:*?"<>|\u0000-\u001f]+$/)
  .refine((name) => !/^\.+$/.test(name), 'Not a file name');

/** Number of bytes that one call reads from a large file. */
const pieceLength = z
  .int()
  .nonnegative()
  .max(16 * 1024 * 1024);

/** 32 random bytes. */
const secret = z.custom<Uint8Array<ArrayBuffer>>(
  (value) => value instanceof Uint8Array && value.length === 32,
  'Not 32 bytes',
);
/** A PIN that a person chooses. */
const newPin = z
  .string()
  .max(1000)
  .refine((pin) => pinRefusal(pin) === null, 'Not an acceptable PIN');
/** A PIN that a person tries. */
const triedPin = z.string().min(1).max(1000);
/** An account whose server stores a secret that opens the key. `origin`: of the server, as in `URL.origin`. */
export const recoveryAccount = z.strictObject({
  origin: z
    .url({ protocol: /^https?$/ })
    .max(300)
    .refine((origin) => URL.parse(origin)?.origin === origin, 'Not an origin'),
  account: z.string().min(1).max(200),
});
const recoverySecret = recoveryAccount.extend({ secret });

/** The device key, open. */
const openKey = z.strictObject({
  state: z.literal('open'),
  key: secret,
  /** Null after `keyRecover`, until `keyProtect`: the program cannot open the key by itself when it starts again. */
  protection: z.enum(['system', 'pin', 'file']).nullable(),
  /** Fingerprint of the key. What is encrypted can name it, to tell another key from damage. */
  id: z.string().regex(/^[0-9a-f]{16}$/),
  device: z.uuid(),
  /** Whether `keyProtect` can use the system keyring. */
  hasSystem: z.boolean(),
  recoverable: z.array(recoveryAccount),
});

const lockedKey = z.strictObject({
  state: z.literal('locked'),
  device: z.uuid(),
  /** `system`: the system keyring no longer opens the key. */
  reason: z.enum(['pin', 'system']),
  /** Why the call did not open it: a wrong PIN or secret, or a PIN before the wait was over, which was not tried. */
  refusal: z.enum(['wrong', 'early']).nullable(),
  /** Time until the next PIN is tried, seconds. */
  waitSeconds: z.int().nonnegative(),
  recoverable: z.array(recoveryAccount),
});

/**
 * The key under which the page encrypts what it stores. `new`: there is none yet, and the person must choose how it is
 * protected. `unreadable`: its file was written by a newer version, is damaged, or cannot be read from the disk.
 */
const keyState = z.discriminatedUnion('state', [
  openKey,
  lockedKey,
  z.strictObject({ state: z.literal('new'), hasSystem: z.boolean() }),
  z.strictObject({
    state: z.literal('unreadable'),
    /** `lost`: there is no key file, but work that is encrypted. `other`: the work is encrypted with another key. */
    kind: z.enum(['newer', 'damaged', 'disk', 'lost', 'other']),
  }),
]);

export type KeyState = z.output<typeof keyState>;
export type OpenKey = z.output<typeof openKey>;
export type RecoveryAccount = z.output<typeof recoveryAccount>;

const pinProtection = z.strictObject({ protection: z.literal('pin'), pin: newPin });
const fileProtection = z.strictObject({ protection: z.literal('file') });
const systemProtection = z.strictObject({ protection: z.literal('system') });

const SECONDS = 1000;
const QUICK = 10 * SECONDS;
// Longer than an fsync takes on a slow disk: the journal treats a timeout as a broken disk.
const DISK = 60 * SECONDS;
// Hashing a PIN takes a second; calls wait for each other, and old devices are slow.
const PIN = 5 * 60 * SECONDS;
const LARGE_FILE = 10 * 60 * SECONDS;
const PERSON = 60 * 60 * SECONDS;

/** The arguments, the result and the timeout (ms) of each call. */
export const ipcCalls = {
  appInfo: {
    args: z.tuple([]),
    result: z.strictObject({
      version: z.string(),
      platform: z.string(),
      packaged: z.boolean(),
      /** The server given on the command line. */
      server: z.url({ protocol: /^https?$/ }).nullable(),
    }),
    timeout: QUICK,
  },

  /** The language of the page, in which the main process speaks from now on. */
  useLanguage: { args: z.tuple([mainLanguage]), result: nothing, timeout: QUICK },

  journalOpen: { args: z.tuple([journalName]), result: lease, timeout: DISK },
  journalList: { args: z.tuple([lease]), result: z.array(journalFileName), timeout: DISK },
  journalRead: { args: z.tuple([lease, journalFileName]), result: bytes.optional(), timeout: LARGE_FILE },
  journalAppend: {
    args: z.tuple([lease, journalFileName, z.int().nonnegative(), bytes]),
    result: nothing,
    timeout: DISK,
  },
  /** As `journalAppend`, without fsync. The bytes are safe after `journalFlush`. */
  journalPut: {
    args: z.tuple([lease, journalFileName, z.int().nonnegative(), bytes]),
    result: nothing,
    timeout: DISK,
  },
  journalFlush: { args: z.tuple([lease, journalFileName]), result: nothing, timeout: DISK },
  journalWrite: { args: z.tuple([lease, journalFileName, bytes]), result: nothing, timeout: LARGE_FILE },
  journalRemove: { args: z.tuple([lease, journalFileName]), result: nothing, timeout: DISK },
  /** Undefined if the file does not exist. */
  journalSize: {
    args: z.tuple([lease, journalFileName]),
    result: z.int().nonnegative().optional(),
    timeout: DISK,
  },
  /** Returns exactly the requested bytes. Used for files that are too large to be read at once. */
  journalReadPart: {
    args: z.tuple([lease, journalFileName, z.int().nonnegative(), pieceLength]),
    result: piece,
    timeout: DISK,
  },
  /** Asks the person where to save a copy of a file. Returns false if they cancel. */
  journalSaveAs: {
    args: z.tuple([
      lease,
      journalFileName,
      z.strictObject({ title: shortText, suggestedName: baseName, filters }),
    ]),
    result: z.boolean(),
    timeout: PERSON,
  },
  journalReleaseBallast: { args: z.tuple([lease]), result: z.boolean(), timeout: DISK },
  journalReserveBallast: { args: z.tuple([lease]), result: z.boolean(), timeout: DISK },
  journalClose: { args: z.tuple([lease]), result: nothing, timeout: DISK },

  /** Opens the device key if that needs no person, and makes it if a new device has a system keyring. */
  keyState: { args: z.tuple([]), result: keyState, timeout: PIN },
  /** Makes the key of a new device. Refused if there is one. */
  keyCreate: {
    args: z.tuple([z.discriminatedUnion('protection', [pinProtection, fileProtection])]),
    result: openKey,
    timeout: PIN,
  },
  keyUnlock: { args: z.tuple([triedPin]), result: keyState, timeout: PIN },
  /** Changes how the open key is protected. `unavailable` if the system keyring does not work. */
  keyProtect: {
    args: z.tuple([z.discriminatedUnion('protection', [pinProtection, fileProtection, systemProtection])]),
    result: openKey,
    timeout: PIN,
  },
  /** Lets a secret, which the server of the account stores, open the key. It replaces the earlier one of the account. */
  keyAddRecovery: { args: z.tuple([recoverySecret]), result: nothing, timeout: PIN },
  /** Opens a locked key with the secret of an account. */
  keyRecover: { args: z.tuple([recoverySecret]), result: keyState, timeout: PIN },
  /**
   * Renames the journals and a key that is locked or unreadable, so that the person can begin anew and open later what
   * was set aside. Deletes nothing.
   */
  keySetAside: { args: z.tuple([]), result: keyState, timeout: PIN },

  /**
   * Waits for what the page should know: the window is about to be closed, and the page saves what was typed and calls
   * `readyToClose`; or the computer woke up. `none`: a timeout, or another page asked.
   */
  notice: { args: z.tuple([]), result: z.enum(['close', 'wake', 'none']), timeout: PERSON },
  /**
   * Whether the page could save everything. If not, the main process asks the person. `stay`: the window stays open, and the
   * page goes on.
   */
  readyToClose: { args: z.tuple([z.boolean()]), result: z.enum(['close', 'stay']), timeout: PERSON },

  /**
   * Files that a person opened with the app, by double click or on the command line, with tickets above the given
   * one. Waits until there is one; returns an empty list after a timeout. The page never sees a path.
   */
  openedFiles: {
    args: z.tuple([z.int().nonnegative()]),
    result: z.array(
      z.strictObject({ ticket: z.int().positive(), name: z.string(), size: z.int().nonnegative() }),
    ),
    timeout: PERSON,
  },
  openedFileRead: {
    args: z.tuple([z.int().positive(), z.int().nonnegative(), pieceLength]),
    result: piece,
    timeout: DISK,
  },
  /** Sent when the page has finished reading the file. */
  openedFileDone: { args: z.tuple([z.int().positive()]), result: nothing, timeout: QUICK },

  /**
   * Fetches a file from a foreign server, without cookies and tokens. The page reads the response piece by piece
   * until `remoteRead` returns undefined, or closes it. `private-network`: the address, or one that it redirects to, is
   * in a private network, and the person has not allowed it.
   */
  remoteOpen: {
    args: z.tuple([
      z.url({ protocol: /^https?$/ }),
      z.strictObject({
        range: z
          .string()
          .regex(/^bytes=\d+-$/)
          .nullable(),
        ifRange: z.string().max(500).nullable(),
      }),
    ]),
    result: z.strictObject({
      ticket: z.int().positive(),
      status: z.int().min(200).max(599),
      headers: z.record(z.string(), z.string()),
    }),
    timeout: DISK,
  },
  /**
   * Asks the person about each address in a private network that this one, or one that it redirects to, leads to. False
   * if they refuse. The main process asks, so that the page cannot answer.
   */
  remoteAllow: { args: z.tuple([z.url({ protocol: /^https?$/ })]), result: z.boolean(), timeout: PERSON },
  remoteRead: { args: z.tuple([z.int().positive()]), result: piece.optional(), timeout: DISK },
  remoteClose: { args: z.tuple([z.int().positive()]), result: nothing, timeout: QUICK },

  /**
   * `signInListen` returns the address to which the system's browser brings the code of a sign-in. `signInWait`
   * returns the code, or null after a timeout or when another sign-in begins.
   */
  signInListen: { args: z.tuple([]), result: z.url({ protocol: /^http$/ }), timeout: QUICK },
  signInWait: { args: z.tuple([]), result: z.string().max(200).nullable(), timeout: PERSON },
  signInEnd: { args: z.tuple([]), result: nothing, timeout: QUICK },

  /** The state of updates. Waits until its number is not `known` any more, or for an hour. */
  updateState: { args: z.tuple([z.int().nonnegative()]), result: updateState, timeout: 2 * PERSON },
  /** The server from which updates come from now on: at its address, or none. */
  updateFollow: {
    args: z.tuple([
      z
        .url({ protocol: /^https?$/ })
        .max(300)
        .nullable(),
    ]),
    result: nothing,
    timeout: QUICK,
  },
  /** Looks for an update at the server now. */
  updateLook: { args: z.tuple([]), result: nothing, timeout: QUICK },
  /** Asks the person for a folder and looks there. Returns false if they cancel. */
  updateFromFolder: {
    args: z.tuple([z.strictObject({ title: shortText })]),
    result: z.boolean(),
    timeout: PERSON,
  },
  /** The person wants the update that is ready. The app starts again unless the page objects. */
  updateInstall: { args: z.tuple([]), result: nothing, timeout: QUICK },
  /** The answer to the question with this number. Null: the app may close. */
  updateAnswer: {
    args: z.tuple([z.int().positive(), updateHold.nullable()]),
    result: nothing,
    timeout: QUICK,
  },
  /** Sent when the page shows its first screen: this version works. */
  updateConfirm: { args: z.tuple([]), result: nothing, timeout: DISK },

  /** Whether the device is a station. Then people are kept in the app, also after a restart. */
  stationLock: { args: z.tuple([z.boolean()]), result: nothing, timeout: QUICK },

  /**
   * Asks the person to choose files. Returns their names and bytes, never their paths; an empty list if the person
   * cancels.
   */
  openFiles: {
    args: z.tuple([z.strictObject({ title: shortText, filters, several: z.boolean() })]),
    result: z.array(z.strictObject({ name: z.string(), bytes })),
    timeout: PERSON,
  },
  /** Asks the person where to save `bytes`. Returns false if they cancel. */
  saveFile: {
    args: z.tuple([z.strictObject({ title: shortText, suggestedName: baseName, filters, bytes })]),
    result: z.boolean(),
    timeout: PERSON,
  },
  /** Asks the person where to save the page that the window shows as a PDF, as it would be printed. False if they cancel. */
  savePdf: {
    args: z.tuple([z.strictObject({ title: shortText, suggestedName: baseName })]),
    result: z.boolean(),
    timeout: PERSON,
  },
};

export type IpcCall = keyof typeof ipcCalls;
export type IpcArgs<C extends IpcCall> = z.output<(typeof ipcCalls)[C]['args']>;
export type IpcResult<C extends IpcCall> = z.output<(typeof ipcCalls)[C]['result']>;

/** The names of the calls. */
export const ipcCallName = z.enum(Object.keys(ipcCalls) as [IpcCall, ...IpcCall[]]);

/**
 * Why a call failed. `refused`: the sender is not the app's page, the call is not in the table, or it does not fit the
 * state of the device key. `invalid`: wrong arguments. `closing`: the app is shutting down. `timeout`: no answer in time; the call may still complete. `no-space`
 * and `sync-failed`: as in the journal. `private-network`: see `remoteOpen`. `unavailable`: anything else.
 */
const ipcErrorKind = z.enum([
  'refused',
  'invalid',
  'closing',
  'timeout',
  'no-space',
  'sync-failed',
  'private-network',
  'unavailable',
]);

export type IpcErrorKind = z.infer<typeof ipcErrorKind>;

/**
 * The answer of the main process. A failure is an answer too, because errors lose their properties when they cross
 * the IPC boundary.
 */
export const ipcAnswer = z.discriminatedUnion('ok', [
  z.strictObject({ ok: z.literal(true), result: z.unknown() }),
  z.strictObject({ ok: z.literal(false), kind: ipcErrorKind, message: z.string() }),
]);

export type IpcAnswer = z.infer<typeof ipcAnswer>;

/** A failed call, in the page or the main process. */
export class IpcError extends Error {
  readonly kind: IpcErrorKind;

  constructor(kind: IpcErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'IpcError';
    this.kind = kind;
  }
}
