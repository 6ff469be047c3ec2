import type { Observable } from 'rxjs';

import type { OfflineKind } from '#shared/api/surface.ts';
import type { FeedRow, NamedStep, SyncedCollection, SyncedDocument } from '#shared/sync/wire.ts';

/** Time, randomness and network of the engine. Injected, so that tests can simulate faults. */
export interface Environment {
  /** Wall clock, ms since 1970. */
  now(): number;
  /** Monotonic ms since the page session began. */
  monotonic(): number;
  /** Id of this page session. */
  pageSession: string;
  /** A new UUIDv7. */
  uuid(): string;
  /** Uniform in [0, 1): backoff jitter only. */
  random(): number;
  /** Cryptographic randomness. */
  randomBytes(size: number): Uint8Array<ArrayBuffer>;
  fetch: typeof globalThis.fetch;
  /** Fetches from other servers, whatever their CORS rules; absent if the platform cannot. */
  fetchElsewhere?: typeof globalThis.fetch;
  /** Asks the person, if an address is in a private network, whether to fetch from it; absent if it needs no permission. */
  allowElsewhere?: (url: string) => Promise<boolean>;
  setTimer(run: () => void, ms: number): () => void;
  /** Whether the platform is online; emits on every change. */
  online: Observable<boolean>;
}

/** A record of the mirror as views read it: parsed facts and their feed position. */
export interface Mirrored<C extends SyncedCollection> {
  id: string;
  seq: number;
  facts: SyncedDocument<C>;
}

/** Read side of the mirror. Every observable emits the present value first. Parsed facts are cached by id and seq. */
export interface Mirror {
  one<C extends SyncedCollection>(collection: C, id: string): Observable<Mirrored<C> | null>;
  get<C extends SyncedCollection>(collection: C, id: string): Promise<Mirrored<C> | null>;
  /** Every record of a collection whose indexed field equals `value`: comments and work log by guideid, step forms by guideid. */
  where<C extends SyncedCollection>(
    collection: C,
    field: string,
    value: string | number,
  ): Observable<Mirrored<C>[]>;
  /** All records of a small collection (wikis, people, viewer, media index, work log). */
  all<C extends SyncedCollection>(collection: C): Observable<Mirrored<C>[]>;
  /** Shallow rows of the guides, for lists: indexed fields only, without parsing bodies. */
  guideRows(): Observable<GuideRow[]>;
  /** Rows that arrived from the server, after they are stored; without those of initial loads. */
  arrived: Observable<FeedRow[]>;
}

/** The indexed fields of a guide in the mirror. */
export interface GuideRow {
  id: string;
  seq: number;
  title: string;
  category: string;
  type: string;
  summary: string;
  difficulty: string;
  timeRequired: number;
  steps: number;
  imageGuid: string;
  public: boolean;
  userid: number;
  modifiedAt: number;
  /** An initial load has brought its title only; its facts follow (MIRROR-24). */
  isTitle?: true;
}

/**
 * The kind of a call: it decides how the call joins others, how views apply it, and its words. `archive-import`: an
 * import that stays on its device. `unreadable`: represents a journal record that this version of the app cannot read
 * (`outbox/at-rest.ts`).
 */
export type CallKind = OfflineKind | 'archive-import' | 'unreadable';

/**
 * `queued`: waits for its turn, the network or a call it needs. `done`: the server has it at `doneSeq`; removed when the
 * mirror holds its effect. `parked`: refused with 403, 404, 405, 422. `conflict`: a person must decide.
 */
export type CallState = 'queued' | 'sending' | 'done' | 'parked' | 'conflict';

/**
 * The person in whose name a station sends a call: their `accountid`, and when they did it (ISO 8601, server's time).
 * `station`: the userid of the station's account.
 */
export interface Recorded {
  for: string;
  at: string;
  station: number;
}

/** One API call of a person, waiting on this device. Its `id` is Idempotency-Key and temporary id. */
export interface OutboxCall {
  id: string;
  /** The person who did it; at a station not the account whose token sends it. */
  userid: number;
  /** Only at a station: in whose name it is sent, and when it was recorded (STATION-ENGINE-1). */
  recorded?: Recorded | undefined;
  kind: CallKind;
  lane: string;
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to /api/2.0; may hold `tmp:…` ids, as may query and body. */
  path: string;
  query: Record<string, string>;
  body: unknown;
  /** Upload calls: the journalled file with the bytes. */
  fileId: string | null;
  /** Temporary ids (without `tmp:`) that other calls create. */
  needs: string[];
  /** The synced record that it changes; the id may be temporary. */
  target: { collection: SyncedCollection; id: string };
  /** Name in the list of activity: title of the guide, number of the work order … */
  subject: string;
  at: number;
  /** Position among the calls of the person. */
  order: number;
  state: CallState;
  tries: number;
  /** It is not sent again before this time, ms since 1970. */
  nextTryAt: number;
  /** Set when done: real ids by temporary ones, and the feed position of its effect. */
  created: Record<string, string>;
  doneSeq: number | null;
  doneAt: number | null;
  refusal: {
    status: number;
    message: string;
    /** Machine-readable reason; older servers send none. */
    code?: string | undefined;
    errors: { field: string; message: string }[];
  } | null;
  /** The record that it is for, as this device knew it. Its number may belong to another record after a restore (OUTBOX-34). */
  record?: { c: SyncedCollection; id: string; uid: string } | undefined;
  /** The step that it is on, as this device knew it. Its number may belong to another step after a restore (OUTBOX-34). */
  step?: NamedStep | undefined;
  /** Data that only this kind needs, such as the base of a guide save for the merge on 409. */
  context: unknown;
}

export type NewCall = Pick<OutboxCall, 'kind' | 'lane' | 'method' | 'path' | 'target' | 'subject'> &
  Partial<Pick<OutboxCall, 'query' | 'body' | 'fileId' | 'context' | 'id' | 'record' | 'step'>> & {
    /** A call that is sent only after a person's decision. */
    state?: 'conflict';
  };

/** The outbox. Every change is journalled before its promise resolves. */
export interface Outbox {
  /** Adds calls in order, in one journal append; joins them with unsent calls of their lanes. */
  add(calls: NewCall[]): Promise<OutboxCall[]>;
  /** Replaces body, context or state of a call that is not being sent; the context alone at any time before it is done. */
  change(
    id: string,
    change: Partial<
      Pick<OutboxCall, 'body' | 'query' | 'context' | 'state' | 'refusal' | 'nextTryAt' | 'tries' | 'id'>
    >,
  ): Promise<void>;
  remove(id: string): Promise<void>;
  /** Removes a call whose words the app keeps elsewhere (LEAVING-4); at a station also a call of another person. */
  removeKept(id: string): Promise<void>;
  /** Replaces subject and context of a call that is not being sent, without changing the request. */
  strip(id: string, bare: Pick<OutboxCall, 'subject' | 'context'>): Promise<void>;
  get(id: string): OutboxCall | undefined;
  /** All calls of the signed-in person as they are now, oldest first. */
  present(): readonly OutboxCall[];
  /** Calls whose target is this record, oldest first. A temporary id and the real one mean the same record. */
  about(collection: SyncedCollection, id: string): OutboxCall[];
  /** All calls of the signed-in person, oldest first; emits the present ones first, then soon after each change. */
  calls: Observable<readonly OutboxCall[]>;
  /** Calls that the server has, the latest first: those of the last 30 days, at most 300. */
  sent: Observable<readonly OutboxCall[]>;
  /** `tmp:…` → the real id, if a call of this person has made it. */
  realId(temporary: string): string | undefined;
}

/** Decides about 409s, and about 404s of renamed records. */
export interface ConflictHandler {
  /** What to do with a call after a 409: send it again with a new id and body, drop it, show it as a decision, or park it. */
  settle(
    call: OutboxCall,
    current: FeedRow[],
  ): Promise<
    | { action: 'resend'; path?: string; body: unknown; query: Record<string, string>; context: unknown }
    | { action: 'drop' }
    | { action: 'decide'; context: unknown }
    | { action: 'park'; message: string }
  >;
  /** The new path of a call whose record was renamed; null if its path is still right. */
  pathNow(call: OutboxCall): Promise<string | null>;
  /** After the server's history changed: whether the revision that a call names belongs to another version now. */
  isMistaken(call: OutboxCall): Promise<boolean>;
  /** Which of these calls, oldest first, that a restored server forgot would replace what somebody wrote since. */
  overwriting(calls: readonly OutboxCall[]): Promise<ReadonlySet<string>>;
  /**
   * After the server's history changed: drafts must not rely on the versions that they were based on. `made`: records that
   * must be created again, `guides/61` to their temporary ids.
   */
  meetHistory(made: ReadonlyMap<string, string>): Promise<void>;
}

/** Drafts of the signed-in person by id; journalled before a promise resolves. Values are JSON with byte arrays. */
export interface DraftStore {
  get(id: string): Promise<unknown>;
  put(id: string, value: unknown): Promise<void>;
  remove(id: string): Promise<void>;
  /** Ids that have a draft; emits the present ones first, then on every change. */
  ids: Observable<readonly string[]>;
}

/** Stores secrets such as the session's token, protected from other programs as well as the platform can. */
export interface SecretStore {
  read(name: string): Promise<string | undefined>;
  write(name: string, secret: string): Promise<void>;
  remove(name: string): Promise<void>;
}
