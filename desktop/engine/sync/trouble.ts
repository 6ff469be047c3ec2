import { Problem } from '#shared/api/problem.ts';
import { ArchiveRefused } from '#shared/formats/omanual/archive.ts';
import { ArchiveTooLarge } from '#shared/formats/omanual/too-large.ts';

import {
  ForeignAnswer,
  Impostor,
  NotNow,
  OtherHistory,
  OtherServer,
  SignInNeeded,
  TooOld,
  Unreachable,
} from './connection-errors.ts';
import { isFullDisk, namesIn } from '../platform/full-disk.ts';
import { JournalError, type JournalErrorKind } from '../journal/journal-error.ts';

/** What went wrong, for people and for support. */
export interface Trouble {
  /** A sentence: what happened and what to do. */
  words: string;
  /** The technical text; null if the sentence is enough. */
  detail: string | null;
}

const full =
  'This device has no space left for your work. Free some space; what is on the screen is saved then.';
const unreadable =
  'The answer of the server can’t be read. Your work is kept. Update the app, or tell your support team if it happens again.';
const unwritable =
  'This device can’t store your work at the moment. Close other windows of the app, then open it again.';
const outdated =
  'This device can’t store what the server sends at the moment. Your work is kept. Free up disk space and close other windows of the app, then open it again.';
const unknown =
  'Something went wrong on this device. Your saved work is kept. Open the app again, or tell your support team if it happens again.';

const unreachable =
  'The server can’t be reached at the moment. Your work is kept. Check the network, then try again.';
const notNow = 'The server can’t do this at the moment. Your work is kept. Try again later.';
const signIn = 'Your session has ended. Sign in again, then try once more.';
const otherHistory =
  'The server was restored from a backup, and this device loads everything anew. Try again in a moment.';

const ofJournal: Partial<Record<JournalErrorKind, string>> = {
  'no-space': full,
  missing: 'A file of your work is no longer on this device. Add it again where it is missing.',
  damaged: 'A file of your work is damaged on this device. Add it again where it is missing.',
};

/** Errors whose message is a sentence for people. */
const speaks = [Problem, ForeignAnswer, TooOld, OtherServer, Impostor, ArchiveRefused, ArchiveTooLarge];

/** Any error as a sentence for people, with its technical text. */
export function troubleOf(error: unknown): Trouble {
  const speaker = speaks.find((kind) => error instanceof kind);
  if (speaker !== undefined && error instanceof Error && error.message !== '')
    return { words: error.message, detail: null };
  return { words: sentenceOf(error), detail: technicalText(error) };
}

function sentenceOf(error: unknown): string {
  if (error instanceof JournalError) return ofJournal[error.kind] ?? unwritable;
  if (error instanceof NotNow) return notNow;
  if (error instanceof Unreachable) return unreachable;
  if (error instanceof SignInNeeded) return signIn;
  if (error instanceof OtherHistory) return otherHistory;
  if (isFullDisk(error)) return full;
  const names = namesIn(error);
  if (names.includes('SyntaxError') || names.some((name) => /^(\$?ZodError|ZodRealError)$/.test(name)))
    return unreadable;
  const isOfDatabase = names.some((name) =>
    /^(RxError|RxTypeError|DatabaseClosedError|OpenFailedError)$/.test(name),
  );
  return isOfDatabase || (error instanceof DOMException && error.name !== 'AbortError') ? outdated : unknown;
}

/** Most characters of a technical text. */
const longestDetail = 500;

function technicalText(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, longestDetail);
}
