import {
  callJournal,
  type CallArgs,
  type CallResult,
  type JournalCall,
  journalCalls,
  type TabMessage,
} from './calls.ts';
import type { TabChannel } from './channel.ts';
import type {
  AppendOptions,
  Journal,
  JournalChanges,
  JournalCollection,
  JournalEntries,
  JournalHealth,
  JournalRecord,
} from './journal.ts';
import { JournalError } from './store.ts';

interface PendingCall {
  call: JournalCall;
  args: readonly unknown[];
  /** The leader to which it was last sent. */
  sentTo: string | undefined;
  done: PromiseWithResolvers<unknown>;
}

/**
 * A journal that another tab holds. A call waits for the leader's answer, also while there is no leader. When a new
 * leader appears, unanswered calls are sent again under the same id.
 */
export class JournalClient implements Journal {
  readonly #channel: TabChannel;
  readonly #uuid: () => string;
  readonly #who: string;
  readonly #leave: () => Promise<void>;
  readonly #pending = new Map<string, PendingCall>();
  readonly #listeners = new Set<(health: JournalHealth) => void>();
  readonly #ready = Promise.withResolvers<void>();
  readonly #stopListening: () => void;
  #health: JournalHealth | undefined;
  #leader: string | undefined;
  #local: Journal | undefined;
  #closed = false;

  /** `who` names this tab. `leave` is called on close; it gives up leading, or waiting to lead. */
  constructor(channel: TabChannel, who: string, uuid: () => string, leave: () => Promise<void>) {
    this.#channel = channel;
    this.#uuid = uuid;
    this.#who = who;
    this.#leave = leave;
    this.#stopListening = channel.listen((message) => this.#receive(message));
    channel.post({ kind: 'who leads' });
  }

  /** Resolves once a leader is known. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** This tab leads from now on: all calls, including those still waiting, go directly to `journal`. */
  lead(journal: Journal): void {
    this.#local = journal;
    journal.watchHealth((health) => this.#report(health));
    this.#report(journal.health());
    for (const [id, pending] of this.#pending) this.#send(id, pending);
  }

  /** This tab should have led and could not. Waiting calls fail, and `health` reports it until another tab leads. */
  fail(error: JournalError): void {
    for (const { done } of this.#pending.values()) done.reject(error);
    if (this.#health !== undefined) this.#report({ ...this.#health, writable: false, problem: error.kind });
  }

  async append(records: readonly JournalRecord[], options: AppendOptions = {}): Promise<void> {
    const { id = this.#uuid(), canWait = false } = options;
    const copied = structuredClone([...records]);
    try {
      await this.#call('append', [copied, { id }]);
    } catch (error) {
      // Sent only when needed, because a leader of an earlier version does not know it.
      if (!canWait || !(error instanceof JournalError) || error.kind !== 'no-space') throw error;
      await this.#call('append', [copied, { id, canWait }]);
    }
  }

  async entries(): Promise<JournalEntries> {
    // Data of this tab is not checked: the check would copy all of it.
    return !this.#closed && this.#local !== undefined ? this.#local.entries() : this.#call('entries', []);
  }

  async changes(collection: JournalCollection, since: number): Promise<JournalChanges> {
    return !this.#closed && this.#local !== undefined
      ? this.#local.changes(collection, since)
      : this.#call('changes', [collection, since]);
  }

  async forget(collection: JournalCollection, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.append(ids.map((id) => ({ op: 'delete', collection, id })));
  }

  async compact(): Promise<void> {
    await this.#call('compact', []);
  }

  async purge(): Promise<void> {
    await this.#call('purge', []);
  }

  putFile(
    id: string,
    content: Uint8Array | Blob,
    about: { type: string; name: string },
    options: AppendOptions = {},
  ): Promise<CallResult<'putFile'>> {
    return this.#call('putFile', [id, content, about, { id: options.id ?? this.#uuid() }]);
  }

  readFile(id: string): Promise<CallResult<'readFile'>> {
    return this.#call('readFile', [id]);
  }

  async deleteFile(id: string, options: AppendOptions = {}): Promise<void> {
    await this.#call('deleteFile', [id, { id: options.id ?? this.#uuid() }]);
  }

  listFiles(): Promise<CallResult<'listFiles'>> {
    return this.#call('listFiles', []);
  }

  exportAll(): Promise<CallResult<'exportAll'>> {
    return this.#call('exportAll', []);
  }

  checkSpace(): Promise<boolean> {
    return this.#call('checkSpace', []);
  }

  health(): JournalHealth {
    if (this.#health === undefined) throw new JournalError('unavailable', 'No tab holds the journal yet');
    return this.#health;
  }

  watchHealth(listener: (health: JournalHealth) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#pending.values()].map(({ done }) => done.promise));
    this.#closed = true;
    this.#stopListening();
    await this.#leave();
  }

  async #call<C extends JournalCall>(call: C, args: CallArgs<C>): Promise<CallResult<C>> {
    if (this.#closed) throw new JournalError('closed', 'The journal is closed');
    const id = this.#uuid();
    // The caller may change its values while the call waits for a leader.
    const pending = {
      call,
      args: structuredClone(args),
      sentTo: undefined,
      done: Promise.withResolvers<unknown>(),
    };
    this.#pending.set(id, pending);
    this.#send(id, pending);
    const result = await pending.done.promise.finally(() => this.#pending.delete(id));
    return journalCalls[call].result.parse(result) as CallResult<C>;
  }

  #send(id: string, pending: PendingCall): void {
    const { call, args, done } = pending;
    if (this.#local !== undefined) {
      callJournal(this.#local, call, args).then(done.resolve, done.reject);
      return;
    }
    pending.sentTo = this.#leader;
    this.#channel.post({ kind: 'call', who: this.#who, id, call, args: [...args] });
  }

  #receive(message: TabMessage): void {
    if (this.#local !== undefined) return;
    if (message.kind === 'leader') {
      this.#leader = message.leader;
      this.#report(message.health);
      for (const [id, pending] of this.#pending) {
        if (pending.sentTo !== message.leader) this.#send(id, pending);
      }
    } else if (message.kind === 'result' && message.who === this.#who) {
      this.#pending.get(message.id)?.done.resolve(message.result);
    } else if (message.kind === 'refusal' && message.who === this.#who) {
      const { kind, message: text } = message.error;
      this.#pending.get(message.id)?.done.reject(new JournalError(kind, text));
    }
  }

  #report(health: JournalHealth): void {
    this.#health = health;
    this.#ready.resolve();
    for (const listener of this.#listeners) listener(health);
  }
}
