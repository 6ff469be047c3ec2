import { z } from 'zod';

import { desktopVersion } from './desktop-update.ts';

/* What the main process of the desktop app tells its page about updates. */

/** Why there is no update: `desktop/main/updates/failure.ts` and `verify.ts` explain each. */
const updateFailure = z.enum([
  'malformed',
  'signature',
  'other-app',
  'expired',
  'withdrawn',
  'broken',
  'too-far',
  'unreachable',
  'package',
  'no-package',
  'no-folder',
  'no-space',
  'disk',
]);

const offeredVersion = z.strictObject({ version: desktopVersion, notes: z.string() });

/** `lookFailed`: why the last look failed, if a person asked for it. The version was found before that. */
const storedVersion = offeredVersion.extend({ lookFailed: updateFailure.nullable() });

/**
 * Why an update that is ready was not installed. `order`: a work order is running. `unsaved`: the page could not store
 * everything. `away`: the person went on working elsewhere in the app. `silence`: the page gave no answer.
 */
export const updateHold = z.enum(['order', 'unsaved', 'away', 'silence']);

/**
 * `off`: the package has no key of a publisher. `current`: there is no newer version, as far as is known. `ready`: it can be
 * installed. `asking`: the page must say whether it may be closed (`updateAnswer`). `administrator`: the package at `path` is
 * verified, and somebody with the rights can install it. `download`: a person can get it from `address`.
 */
const updateStatus = z.discriminatedUnion('phase', [
  z.strictObject({ phase: z.literal('off') }),
  /** `checkedAt`: ms since 1970; null if never. */
  z.strictObject({ phase: z.literal('current'), checkedAt: z.int().nullable() }),
  z.strictObject({ phase: z.literal('looking') }),
  z.strictObject({
    phase: z.literal('downloading'),
    version: desktopVersion,
    percent: z.int().min(0).max(100),
  }),
  storedVersion.extend({ phase: z.literal('ready'), hold: updateHold.nullable() }),
  storedVersion.extend({ phase: z.literal('administrator'), path: z.string(), sha256: z.string() }),
  offeredVersion.extend({ phase: z.literal('download'), address: z.string().nullable() }),
  z.strictObject({ phase: z.literal('installing'), version: desktopVersion }),
  z.strictObject({ phase: z.literal('asking'), version: desktopVersion, question: z.int().positive() }),
  z.strictObject({ phase: z.literal('failed'), reason: updateFailure, version: desktopVersion.nullable() }),
]);

/** The state of updates of the desktop app. `left`: a version that did not start, so the app went back to the installed one. */
export const updateState = z.strictObject({
  number: z.int().positive(),
  installed: z.string(),
  left: desktopVersion.nullable(),
  status: updateStatus,
});

export type UpdateState = z.output<typeof updateState>;
export type UpdateStatus = z.output<typeof updateStatus>;
export type UpdateHold = z.output<typeof updateHold>;
