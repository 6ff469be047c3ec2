import { Problem } from '#shared/api/problem.ts';

import { OtherServer } from './account/contact.ts';
import { Impostor } from './account/who-is.ts';
import { JournalError, type JournalErrorKind } from './journal/journal.ts';
import { Unreachable } from './own-answer.ts';

/** What went wrong, for people and for the support. */
export interface Trouble {
  /** A sentence: what happened and what to do. */
  words: string;
  /** The technical text; null where the sentence says it all. */
  detail: string | null;
}

const full =
  'This device has no space left for your work. Free some space; what is on the screen is saved then.';
const unreadable =
  'The answer of the server can’t be read. Your work is kept. Update the app, or tell the support if it happens again.';
const unwritable =
  'This device can’t store your work at the moment. Close other windows of the app, then open it again.';
const unknown =
  'Something went wrong on this device. Your saved work is kept. Open the app again, or tell the support if it happens again.';

const ofJournal: Partial<Record<JournalErrorKind, string>> = {
  'no-space': full,
  missing: 'A file of your work is no longer on this device. Add it again where it is missing.',
  damaged: 'A file of your work is damaged on this device. Add it again where it is missing.',
};

/** Errors whose message is a sentence for people. */
const speaks = [Problem, Unreachable, OtherServer, Impostor];

/** Any error in a sentence for people, with its technical text beside it. */
export function troubleOf(error: unknown): Trouble {
  if (speaks.some((kind) => error instanceof kind)) return { words: (error as Error).message, detail: null };
  return { words: sentenceOf(error), detail: technicalText(error) };
}

function sentenceOf(error: unknown): string {
  if (error instanceof JournalError) return ofJournal[error.kind] ?? unwritable;
  const names = namesIn(error);
  if (names.some((name) => /quota/i.test(name))) return full;
  if (names.includes('SyntaxError') || names.some((name) => /^(\$?ZodError|ZodRealError)$/.test(name)))
    return unreadable;
  const isOfDatabase = names.some((name) =>
    /^(RxError|RxTypeError|DatabaseClosedError|OpenFailedError)$/.test(name),
  );
  return isOfDatabase || (error instanceof DOMException && error.name !== 'AbortError')
    ? unwritable
    : unknown;
}

/** The names of an error and of what caused it. */
function namesIn(error: unknown): string[] {
  if (!(error instanceof Error) && !(error instanceof DOMException)) return [];
  const { inner } = error as { inner?: unknown };
  return [error.name, ...namesIn(error.cause), ...namesIn(inner)];
}

/** Most characters of a technical text. */
const longestDetail = 500;

function technicalText(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, longestDetail);
}
