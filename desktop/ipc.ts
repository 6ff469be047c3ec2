import { z } from 'zod';

/*
 * All calls from the page to the main process. The main process validates arguments and results against this table;
 * the preload script forwards the calls; `desktop/renderer/platform/bridge.ts` gives them types.
 */

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
/** Bytes with a buffer of their own. */
const piece = z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array);
const shortText = z.string().max(200);
const nothing = z.undefined();

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

const SECONDS = 1000;
const QUICK = 10 * SECONDS;
// Longer than an fsync takes on a slow disk: the journal treats a timeout as a broken disk.
const DISK = 60 * SECONDS;
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
   * until `remoteRead` returns undefined, or closes it.
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
   * `signInListen` returns the address to which the system's browser brings the code of a sign-in. `signInWait`
   * returns the code, or null after a timeout or when another sign-in begins.
   */
  signInListen: { args: z.tuple([]), result: z.url({ protocol: /^http$/ }), timeout: QUICK },
  signInWait: { args: z.tuple([]), result: z.string().max(200).nullable(), timeout: PERSON },
  signInEnd: { args: z.tuple([]), result: nothing, timeout: QUICK },

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
};

export type IpcCall = keyof typeof ipcCalls;
export type IpcArgs<C extends IpcCall> = z.output<(typeof ipcCalls)[C]['args']>;
export type IpcResult<C extends IpcCall> = z.output<(typeof ipcCalls)[C]['result']>;

/** The names of the calls. */
export const ipcCallName = z.enum(Object.keys(ipcCalls) as [IpcCall, ...IpcCall[]]);

/**
 * Why a call failed. `refused`: the sender is not the app's page, or the call is not in the table. `invalid`: wrong
 * arguments. `closing`: the app is shutting down. `timeout`: no answer in time; the call may still complete. `no-
 * space` and `sync-failed`: as in the journal. `unavailable`: anything else.
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
