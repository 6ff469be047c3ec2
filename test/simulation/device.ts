import { decided } from '#test/support/decided.ts';
import { memoryStorage } from '#test/support/memory-storage.ts';
import type { Actions, Engine, Live, Views } from '#desktop/engine/engine.ts';
import { memoryArchiveFiles } from '#desktop/engine/journal/archive-files.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { memoryMediaStore } from '#desktop/engine/features/media/store.ts';
import { openEngine } from '#desktop/engine/open.ts';
import type { Platform } from '#desktop/engine/journal/platform.ts';
import type { GuideConflicts, GuideConflictView } from '#desktop/engine/api/conflict-records.ts';
import type { PlayableGuide, WorkOrder } from '#desktop/engine/api/records.ts';
import type { ActivityItem, SyncState } from '#desktop/engine/api/sync-records.ts';
import { must } from '#shared/must.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { validateChange } from '#shared/rules/guide-limits.ts';
import { type GuideContent, type GuideEditOperation, applyEdit } from '#shared/rules/guide-edit.ts';
import { Editor, type RawEdit } from '#test/support/guide-edits.ts';

import { choiceFor, type Decision } from './choices.ts';
import { FaultyNetwork } from './network.ts';
import type { Fault } from './plan.ts';
import { VirtualChance, VirtualTime } from './virtual-time.ts';

/** The result of one list of edits. */
export interface Edited {
  base: GuideContent;
  content: GuideContent;
  /** Words that this side wrote and kept. */
  words: string[];
  operations: GuideEditOperation[];
}

/** The views of a device at rest. */
export interface Shown {
  guide: PlayableGuide | null;
  /** Whether edits exist without a save. */
  hasUnsaved: boolean;
  state: SyncState;
  activity: ActivityItem[];
  orders: WorkOrder[];
}

/** Virtual ms within which a device must come to rest after the network is back. */
const longestUnrest = 30 * 60_000;

/** A whole device: the real engine with virtual time, a memory disk and a faulty network. */
export class SimulatedDevice {
  readonly #number: number;
  readonly #time = new VirtualTime(Date.now());
  readonly #chance = new VirtualChance();
  readonly #network = new FaultyNetwork(this.#time);
  readonly #disk = {
    journal: new Map<string, Uint8Array>(),
    secrets: new Map<string, string>(),
    media: memoryMediaStore(),
    archives: new Map<string, Uint8Array<ArrayBuffer>>(),
    storage: memoryStorage(),
  };
  #engine: Engine | null = null;

  constructor(number: number) {
    this.#number = number;
  }

  async start(server: string, email: string, password: string): Promise<void> {
    this.#network.connect([], null);
    this.#engine = await openEngine(this.#platform());
    await this.#time.during(this.#opened.actions.signIn(server, email, password));
    await this.rest();
  }

  /** Starts a run: ids, random numbers and the trace follow from its seed. */
  async begin(seed: number): Promise<void> {
    this.#chance.begin(seed, this.#number);
    this.#network.log.length = 0;
  }

  async trace(): Promise<string[]> {
    return [...this.#network.log];
  }

  async disconnect(): Promise<void> {
    this.#network.disconnect();
  }

  async connect(faults: Fault[], batches: number | null): Promise<void> {
    this.#network.log.push('connected');
    this.#network.connect(faults, batches);
  }

  async deafen(): Promise<void> {
    this.#network.log.push('deaf');
    this.#network.deafen();
  }

  async deliverLate(): Promise<void> {
    await this.#network.deliverLate();
  }

  /** Closes the app and opens it again on the same disk. */
  async restart(): Promise<void> {
    await this.#time.during(this.#opened.close());
    this.#engine = await this.#time.during(openEngine(this.#platform()));
    this.#network.log.push('restarted');
  }

  /** Edits the guide and saves. `label` makes words and keys unique. */
  async edit(guideid: string, edits: RawEdit[], label: string): Promise<Edited> {
    return this.#time.during(this.#edit(guideid, edits, new Editor(label)));
  }

  /** Calls an action of the engine. */
  async act<A extends keyof Actions>(
    name: A,
    ...args: Parameters<Actions[A]>
  ): Promise<Awaited<ReturnType<Actions[A]>>> {
    this.#time.pass(1000);
    const action = this.#opened.actions[name] as (...given: Parameters<Actions[A]>) => ReturnType<Actions[A]>;
    return this.#time.during(Promise.resolve(action(...args))) as Promise<Awaited<ReturnType<Actions[A]>>>;
  }

  /** Waits until this device has no waiting calls, deciding the conflicts of the guide meanwhile. */
  async rest(guideid: string | null = null, choices: number[] = []): Promise<Decision[]> {
    return this.#time.during(this.#rest(guideid, choices));
  }

  /** Waits until the allowed batches of the network are used up, or nothing is left to send. */
  async flap(): Promise<void> {
    await this.#time.during(
      this.#until(async () => {
        const state = await this.#look('syncState');
        return !this.#network.online.value || (state.pending === 0 && state.connection === 'online');
      }),
    );
    this.#network.disconnect();
  }

  /** Waits until this device shows a revision. */
  async sees(guideid: string, revisionid: number): Promise<void> {
    await this.#time.during(
      this.#until(async () => ((await this.#look('guide', guideid))?.revisionid ?? 0) >= revisionid),
    );
  }

  async shown(guideid: string): Promise<Shown> {
    return this.#time.during(this.#shown(guideid));
  }

  /** The guide as an editor opens it now, with the keys of its steps. */
  async content(guideid: string): Promise<GuideContent> {
    const { actions } = this.#opened;
    await this.#time.during(actions.openDraft(guideid));
    const draft = must(await this.#look('draft', guideid), 'a draft');
    await this.#time.during(actions.discardDraft(guideid));
    return draft.content;
  }

  get isConnected(): boolean {
    return this.#network.online.value;
  }

  get isDeaf(): boolean {
    return this.#network.isDeaf;
  }

  /** The current value of a view. */
  look<V extends keyof Views>(name: V, ...args: Parameters<Views[V]>): Promise<Seen<V>> {
    return this.#look(name, ...args);
  }

  /** Lets time pass until `isSo`, which gets the time. */
  async passUntil(isSo: (now: number) => Promise<boolean>): Promise<void> {
    await this.#time.during(this.#until(() => isSo(this.#time.now())));
  }

  /** Closes the app for good. */
  async end(): Promise<void> {
    this.#network.disconnect();
    await this.#time.during(this.#opened.close());
    this.#engine = null;
  }

  get #opened(): Engine {
    return must(this.#engine, 'an open engine');
  }

  async #edit(guideid: string, edits: RawEdit[], editor: Editor): Promise<Edited> {
    const { actions } = this.#opened;
    await actions.openDraft(guideid);
    const base = must(await this.#look('draft', guideid), 'a draft').content;
    let content = base;
    const operations: GuideEditOperation[] = [];
    for (const raw of edits) {
      const operation = fitted(content, editor.operation(content, raw));
      if (operation === null) continue;
      content = applyEdit(content, operation);
      operations.push(operation);
    }
    await Promise.all(operations.map((operation) => actions.editDraft(guideid, operation)));
    const written = must(await this.#look('draft', guideid), 'a draft').content;
    if (!sameValue(written, content)) throw new Error('The draft does not hold what was edited');
    await actions.saveDraft(guideid);
    const text = JSON.stringify(content);
    const words = editor.words.filter((word) => new RegExp(`\\b${word}\\b`).test(text));
    return { base, content, words, operations };
  }

  async #rest(guideid: string | null, choices: number[]): Promise<Decision[]> {
    const since = this.#time.now();
    const decisions: Decision[] = [];
    await this.#until(async () => {
      const state = await this.#look('syncState');
      if (state.parked > 0 || state.trouble !== null) return true;
      if (guideid !== null && state.conflicts > 0) decisions.push(...(await this.#decide(guideid, choices)));
      const isEqual =
        (state.lastSyncedAt ?? 0) >= since && state.phase === 'idle' && state.connection === 'online';
      return isEqual && state.pending === 0 && state.conflicts === 0;
    });
    return decisions;
  }

  /** Decides conflicts one after the other, like a person: each choice may change the open ones. */
  async #decide(guideid: string, choices: number[]): Promise<Decision[]> {
    const decisions: Decision[] = [];
    for (;;) {
      const open: GuideConflicts | null = await this.#look('conflict', guideid);
      const conflict: GuideConflictView | undefined = open?.conflicts[0];
      if (conflict === undefined) return decisions;
      const choice = choiceFor(conflict, choices[decisions.length % choices.length] ?? 0, decisions.length);
      await this.#opened.actions.resolveConflicts(guideid, [decided(conflict, choice)]);
      decisions.push({ conflict, choice });
    }
  }

  async #shown(guideid: string): Promise<Shown> {
    return {
      guide: await this.#look('guide', guideid),
      hasUnsaved: (await this.#look('draft', guideid))?.dirty ?? false,
      state: await this.#look('syncState'),
      activity: await this.#look('activity'),
      orders: await this.#look('workOrders'),
    };
  }

  /** The current value of a view. */
  #look<V extends keyof Views>(name: V, ...args: Parameters<Views[V]>): Promise<Seen<V>> {
    const view = this.#opened.views[name] as (...given: Parameters<Views[V]>) => Live<Seen<V>>;
    return new Promise((resolve, reject) => {
      let stop: () => void = () => undefined;
      stop = view(...args).subscribe((value) => {
        resolve(value);
        queueMicrotask(() => stop());
      }, reject);
    });
  }

  async #until(isSo: () => Promise<boolean>): Promise<void> {
    const since = this.#time.now();
    while (!(await isSo())) {
      if (this.#time.now() - since > longestUnrest) {
        throw new Error(`The device does not come to rest: ${await this.#account()}`);
      }
      await new Promise<void>((resolve) => void this.#time.setTimer(resolve, 1));
    }
  }

  /** A report about a device that does not come to rest. */
  async #account(): Promise<string> {
    const state = await this.#look('syncState');
    const { guides } = await this.#look('library', { category: null });
    const titles = guides.map(({ guideid, title }) => `${guideid} ${title}`);
    return `${JSON.stringify(state)}\nguides: ${titles.join(', ')}`;
  }

  #platform(): Platform {
    const environment = {
      now: () => this.#time.now(),
      monotonic: () => this.#time.monotonic(),
      pageSession: `page-${this.#number}-${this.#chance.uuid()}`,
      uuid: () => this.#chance.uuid(),
      random: () => this.#chance.random(),
      randomBytes: (size: number) =>
        Uint8Array.from({ length: size }, () => Math.floor(this.#chance.random() * 256)),
      fetch: this.#network.fetch,
      setTimer: (run: () => void, ms: number) => this.#time.setTimer(run, ms),
      online: this.#network.online,
    };
    let locked: Promise<unknown> = Promise.resolve();
    return {
      environment,
      openJournal: () => openJournal(memoryStore({}, this.#disk.journal), environment),
      storage: this.#disk.storage,
      multiInstance: false,
      lock: (_, run) => {
        const result = locked.then(run);
        locked = result.catch(() => undefined);
        return result;
      },
      secrets: {
        read: async (name) => this.#disk.secrets.get(name),
        write: async (name, secret) => void this.#disk.secrets.set(name, secret),
        remove: async (name) => void this.#disk.secrets.delete(name),
      },
      media: this.#disk.media,
      openArchiveFiles: async () => memoryArchiveFiles(this.#disk.archives),
      defaultServer: null,
      appId: null,
      insecure: false,
    };
  }
}

export type Seen<V extends keyof Views> = ReturnType<Views[V]> extends Live<infer T> ? T : never;

/**
 * Two people adding lines to one step must not exceed its limit together: a merge of nine lines is sent, and refused.
 */
const mostLines = 4;
const settableFlags = ['GUIDE_PREREQ_ONLY', 'GUIDE_IN_PROGRESS'];

/** An edit that the simulation's server accepts, or null: limits are not tested here. */
function fitted(content: GuideContent, edit: GuideEditOperation): GuideEditOperation | null {
  if (edit.op === 'insertLine') {
    const step = content.steps.find(({ key }) => key === edit.step);
    if ((step?.lines.length ?? 0) >= mostLines) return null;
  }
  const allowed =
    edit.op === 'setList' && edit.field === 'flags'
      ? { ...edit, value: settableFlags.slice(0, edit.value.length % 3) }
      : edit;
  const next = applyEdit(content, allowed);
  return validateChange(content, next).length > 0 || next.title.trim() === '' ? null : allowed;
}
