import type { Logger } from 'pino';

import type { ProtocolRange } from '#shared/sync/protocol.ts';
import type { Anchors } from '#server/audit/anchors.ts';
import type { Acting, AuditNote } from '#server/audit/origin.ts';
import type { WriteHook } from '#server/core/write.ts';
import type { Changes, Principal } from '#server/storage/feed.ts';
import type { Storage } from '#server/storage/sqlite.ts';
import type { Db } from '#server/storage/tables.ts';

import type { Identity } from '#server/identity/identity.ts';
import type { Blobs } from '#server/media/blobs.ts';
import type { Mailer } from '#server/mail/mailer.ts';
import type { ArchiveFiles } from '#server/features/omanual/archive-files.ts';
import type { Scoring } from '#server/features/quizzes/scoring.ts';
import type { Passwords } from '#server/features/tokens/passwords.ts';
import type { Verification } from '#server/features/sign-on/verification.ts';
import type { Site } from '#server/site-settings.ts';
import type { Bus } from '#server/sync/bus.ts';
import type { Training } from '#server/features/training/training.ts';
import type { Uploads } from '#server/media/uploads/store.ts';

import type { Outbound } from '../http/outbound.ts';

/** Who is calling. `userid` 0 is nobody. */
export interface Viewer {
  userid: number;
  username: string;
  privileges: string[];
  teams: number[];
  isAdmin: boolean;
  /** What the feed and lists may show. */
  principals: Principal[];
  tokenHash: string | null;
  /** The administrator who acts as this person. */
  impersonator?: number;
}

/** Everything that lives as long as the server. Time and randomness are injected here. */
export interface Services {
  storage: Storage;
  blobs: Blobs;
  /** Files that are on their way in, piece by piece. */
  uploads: Uploads;
  passwords: Passwords;
  /** Reads and scores quizzes, in workers. */
  scoring: Scoring;
  /** Checks answers of identity providers, in workers. */
  verification: Verification;
  bus: Bus;
  log: Logger;
  /** Wall clock in ms. */
  now: () => number;
  /** Cryptographic randomness. */
  randomBytes: (size: number) => Uint8Array;
  /** As it is at this moment; changes of an administrator appear here (`reloadSite`). */
  site: Readonly<Site>;
  /** Who this server is to devices. */
  identity: Identity;
  /** The protocols of `/sync/1` that this server speaks. */
  protocols: ProtocolRange;
  /** Calls to addresses that people gave. */
  outbound: Outbound;
  mailer: Mailer;
  /** Origin at which this process listens, as its own machine reaches it; null until it does. */
  listensAt: string | null;
  /** Origins at which people reach this server, as far as its settings and its socket tell. */
  origins: () => readonly string[];
  /** Origins at which people reach this server, as its settings name them: `--origin` and the site's address. */
  namedOrigins: () => readonly string[];
  /** Archives that the server made, and files of imports. */
  archives: ArchiveFiles;
  /** Asks for the collection of archives, from now on; answers the address that they name as their origin. */
  wantCollection(origin: string): Promise<string>;
  /** Files of training modules, and where their player is. */
  training: Training;
  /** Where the audit log ended, outside of the database. */
  anchors: Anchors;
  /** What the audit log calls this process where nobody else acts. */
  acting: Acting;
  /** What happens in the transaction of every write, in this order. */
  writeHooks: readonly WriteHook[];
}

/** One call: what a handler may reach. On a read `db` is the reader, on a write the transaction. */
export interface Context {
  services: Services;
  db: Db;
  viewer: Viewer;
  /** Origin for absolute URLs in answers, without a trailing slash. */
  baseUrl: string;
  address: string;
  headers: Record<string, string | undefined>;
  /** UNIX seconds at the start of the call. */
  seconds: number;
  /** Idempotency-Key of the call, if any. */
  key: string | null;
  /** What the call changed. Only on a write. */
  changes: Changes;
  /** What the audit log says of the call beyond the rows that it changed. Only on a write. */
  note: AuditNote;
  /**
   * Names the record that a replay of this call answers with, and passes the body on. What it names is remembered in the
   * transaction of the effect; no secret ever is.
   */
  answersWith: AnswersWith;
  /** Makes temporary ids real: `key` as the device made it. */
  created(key: string, id: number | string): void;
  /** Says how many records a list has in all, whatever its page shows: `X-Total-Count` and the links to other pages. */
  total(count: number): void;
  /**
   * Runs `work` in a write transaction of its own; only on endpoints with `transaction: 'handler'`, once per call: the
   * effect and the memory of it are in the same transaction. Work that threw had no effect and may be done again.
   */
  write<T>(work: (ctx: Context) => Promise<T>): Promise<T>;
}

declare const forReplay: unique symbol;

/** A body of which `answersWith` named the record: a replay can answer it too. Nothing else makes one. */
export type Remembered<T> = T & { readonly [forReplay]: true };

type AnswersWith = <T>(kind: RecordKind, id: number | string, body: T | Promise<T>) => Promise<Remembered<T>>;

/** The `answersWith` of a call that tells `note` what it answers with. */
export function answeringWith(note: (kind: RecordKind, id: string) => void): AnswersWith {
  return async <T>(kind: RecordKind, id: number | string, body: T | Promise<T>) => {
    note(kind, String(id));
    return (await body) as Remembered<T>;
  };
}

/** Kinds of records that a replayed call can answer with. */
export type RecordKind =
  | 'guide'
  | 'step'
  | 'comment'
  | 'entry'
  | 'form'
  | 'image'
  | 'document'
  | 'video'
  | 'user'
  /** Of whom an administrator got a token. */
  | 'impersonation'
  | 'team'
  | 'teamMembers'
  | 'site'
  | 'signOn'
  | 'signOnToken'
  | 'appid'
  | 'webhook'
  | 'delivery'
  /** How many deliveries a call began anew. */
  | 'replayed'
  | 'wiki'
  | 'glossary'
  | 'release'
  | 'rotation'
  | 'story'
  | 'post'
  | 'sharedUsers'
  /** The same, as the answer to a removal has it. */
  | 'remainingUsers'
  | 'sharedTeams'
  | 'trainingModule'
  | 'trainingImport'
  | 'course'
  | 'courseAssignment'
  | 'quiz'
  /** What a deletion of quizzes did, which is the id. */
  | 'quizzesDeleted'
  /** The quizzes of a guide. */
  | 'quizAssociations'
  | 'quizAttachment'
  | 'quizAttempt'
  | 'quizSession'
  | 'quizCancelled'
  | 'archive'
  | 'archiveImport'
  | 'approvalProcess'
  /** The default process of a category, which is the id. */
  | 'approvalDefault'
  | 'approvalRequest';

/** The signed-in person's id; endpoints with access `user` have one. */
export function mustUserid(ctx: Context): number {
  if (ctx.viewer.userid === 0) throw new Error('Expected a signed-in viewer');
  return ctx.viewer.userid;
}
