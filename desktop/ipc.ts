import { z } from 'zod';

/*
 * Every call from the page to the main process, and nothing else. The main process checks arguments and results
 * against this table; the preload script passes calls on; desktop/renderer/platform/bridge.ts gives them types.
 */

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
/** Bytes that were read for this answer alone. */
const piece = z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array);
const shortText = z.string().max(200);
const nothing = z.undefined();

/** Names a journal: one per server and person. */
const journalName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,79}$/);
/** Names a file of a journal; see `storeName` of the engine's journal. */
const journalFileName = z.string().regex(/^[a-z][a-z0-9-]{0,63}$/);
/** Given by `journalOpen`; a newer one for the same journal makes the older ones worthless. */
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

/** Bytes that one call reads of a large file. */
const pieceLength = z
  .int()
  .nonnegative()
  .max(16 * 1024 * 1024);

const SECONDS = 1000;
const QUICK = 10 * SECONDS;
// Above the time a tired disk may need for an fsync; the journal takes a timeout for a broken disk.
const DISK = 60 * SECONDS;
const LARGE_FILE = 10 * 60 * SECONDS;
const PERSON = 60 * 60 * SECONDS;

/** Arguments, result, and the time in ms after which the caller is told that there is no answer. */
export const ipcCalls = {
  appInfo: {
    args: z.tuple([]),
    result: z.strictObject({
      version: z.string(),
      platform: z.string(),
      packaged: z.boolean(),
      /** The server that the app was started for. */
      server: z.url({ protocol: /^https?$/ }).nullable(),
    }),
    timeout: QUICK,
  },

  journalOpen: { args: z.tuple([journalName]), result: lease, timeout: DISK },
  journalList: { args: z.tuple([lease]), result: z.array(journalFileName), timeout: DISK },
  journalRead: { args: z.tuple([lease, journalFileName]), result: bytes.optional(), timeout: LARGE_FILE },
  journalAppend: {
    args: z.tuple([lease, journalFileName, z.int().nonnegative(), bytes]),
    result: nothing,
    timeout: DISK,
  },
  /** The same without fsync; what was put is safe after `journalFlush`. */
  journalPut: {
    args: z.tuple([lease, journalFileName, z.int().nonnegative(), bytes]),
    result: nothing,
    timeout: DISK,
  },
  journalFlush: { args: z.tuple([lease, journalFileName]), result: nothing, timeout: DISK },
  journalWrite: { args: z.tuple([lease, journalFileName, bytes]), result: nothing, timeout: LARGE_FILE },
  journalRemove: { args: z.tuple([lease, journalFileName]), result: nothing, timeout: DISK },
  /** Undefined when there is no such file. */
  journalSize: {
    args: z.tuple([lease, journalFileName]),
    result: z.int().nonnegative().optional(),
    timeout: DISK,
  },
  /** Exactly the bytes that are asked for; a file too large to be read whole is read by these. */
  journalReadPart: {
    args: z.tuple([lease, journalFileName, z.int().nonnegative(), pieceLength]),
    result: piece,
    timeout: DISK,
  },
  /** Lets a person choose where to keep a copy of a file; false when they change their mind. */
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

  /**
   * Files that a person opened with the app, by double click or by starting it with their names, beyond the ticket that
   * the page knows. Waits for one; empty when nobody opened any for a while. The page never hears a path.
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
  /** The page reads no more from it. */
  openedFileDone: { args: z.tuple([z.int().positive()]), result: nothing, timeout: QUICK },

  /**
   * Asks a server that is not ours for a file, without cookies and tokens. The answer is read piece by piece, until there
   * is none, or closed.
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
  remoteRead: { args: z.tuple([z.int().positive()]), result: piece.optional(), timeout: DISK },
  remoteClose: { args: z.tuple([z.int().positive()]), result: nothing, timeout: QUICK },

  /**
   * Where the system's browser brings the code of a sign-in, and the wait for it: null when nobody brings one for a while, or
   * somebody else begins.
   */
  signInListen: { args: z.tuple([]), result: z.url({ protocol: /^http$/ }), timeout: QUICK },
  signInWait: { args: z.tuple([]), result: z.string().max(200).nullable(), timeout: PERSON },
  signInEnd: { args: z.tuple([]), result: nothing, timeout: QUICK },

  /** Lets a person choose files; gives their names and bytes, never their paths. Empty when they change their mind. */
  openFiles: {
    args: z.tuple([z.strictObject({ title: shortText, filters, several: z.boolean() })]),
    result: z.array(z.strictObject({ name: z.string(), bytes })),
    timeout: PERSON,
  },
  /** Lets a person choose where to keep `bytes`; false when they change their mind. */
  saveFile: {
    args: z.tuple([z.strictObject({ title: shortText, suggestedName: baseName, filters, bytes })]),
    result: z.boolean(),
    timeout: PERSON,
  },
};

export type IpcCall = keyof typeof ipcCalls;
export type IpcArgs<C extends IpcCall> = z.output<(typeof ipcCalls)[C]['args']>;
export type IpcResult<C extends IpcCall> = z.output<(typeof ipcCalls)[C]['result']>;

export const ipcCallName = z.enum(Object.keys(ipcCalls) as [IpcCall, ...IpcCall[]]);

/**
 * Why a call failed. `refused`: not from our page, or not a call of the table. `invalid`: its arguments. `closing`:
 * the app is shutting down. `timeout`: no answer in time, it may still happen. `no-space` and `sync-failed` as in
 * the journal; `unavailable`: anything else.
 */
const ipcErrorKind = z.enum([
  'refused',
  'invalid',
  'closing',
  'timeout',
  'no-space',
  'sync-failed',
  'unavailable',
]);

export type IpcErrorKind = z.infer<typeof ipcErrorKind>;

/** What the main process answers; errors lose their properties on the way, so a failure is an answer as well. */
export const ipcAnswer = z.discriminatedUnion('ok', [
  z.strictObject({ ok: z.literal(true), result: z.unknown() }),
  z.strictObject({ ok: z.literal(false), kind: ipcErrorKind, message: z.string() }),
]);

export type IpcAnswer = z.infer<typeof ipcAnswer>;

/** A failed call, on either side. */
export class IpcError extends Error {
  readonly kind: IpcErrorKind;

  constructor(kind: IpcErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'IpcError';
    this.kind = kind;
  }
}
