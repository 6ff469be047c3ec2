import type { AuditNote } from '#server/storage/audit/origin.ts';
import type { Changes } from '#server/storage/feed.ts';
import type { Db } from '#server/storage/tables.ts';

import type { Services } from './services.ts';
import type { Viewer } from './viewer.ts';

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
  respondWithRecord: RespondWithRecord;
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

/** A body of which `respondWithRecord` named the record: a replay can answer it too. Nothing else makes one. */
export type Remembered<T> = T & { readonly [forReplay]: true };

type RespondWithRecord = <T>(
  kind: RecordKind,
  id: number | string,
  body: T | Promise<T>,
) => Promise<Remembered<T>>;

/** The `respondWithRecord` of a call that tells `note` what it answers with. */
export function respondingWithRecord(note: (kind: RecordKind, id: string) => void): RespondWithRecord {
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
