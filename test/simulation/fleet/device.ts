import type { Engine, Live, Views } from '#desktop/engine/engine.ts';
import { memoryArchiveFiles } from '#desktop/engine/journal/archive-files.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { keptWords } from '#desktop/engine/account/leaving/quarantine.ts';
import type { Platform } from '#desktop/engine/journal/platform.ts';
import type { ActivityItem } from '#desktop/engine/api/sync-records.ts';
import { textOf } from '../choices.ts';
import { must } from '#shared/must.ts';

import { oldApp, presentApp } from './app.ts';
import { DeviceNetwork } from './device-network.ts';
import { Disk, Life } from './disk.ts';
import { act, decideOne, nothingDone, type UserSession } from './doings.ts';
import { EventTime } from './event-time.ts';
import { chanceOf, settled, giveSource } from './stillness.ts';
import type { DeviceFault } from './plan.ts';
import type { Chunk, Command, Output, Reply, Seen, ShownGuide } from './wire.ts';

/** Virtual ms after which an unfinished action counts as stuck. */
const longestAction = 30 * 60_000;

type SeenOf<V extends keyof Views> = ReturnType<Views[V]> extends Live<infer T> ? T : never;

/** The current command, and how long the device runs on afterwards. */
interface Turn {
  outcome: { value: unknown } | { error: unknown } | null;
  since: number;
  /** Ms that the device runs on after the outcome. */
  runsOn: number;
  endsAt: number | null;
}

/**
 * A whole device: the real engine with virtual time, a disk that outlives it, and a network controlled by the
 * coordinator.
 */
export class FleetDevice {
  #number = 0;
  #time = new EventTime(0);
  #random = chanceOf(0);
  #disk = new Disk();
  #life = new Life(this.#disk);
  #network = new DeviceNetwork(this.#time);
  #app = presentApp;
  #engine: Engine | null = null;
  #turn: Turn | null = null;
  #drafts = new Set<string>();
  #uuids = 0;
  #seed = 0;
  #asked: number | null = null;
  /** The result so far of the current action. */
  #done = nothingDone();

  /** Creates an empty device. `isOld`: it runs the app of protocol 5. */
  async begin(seed: number, number: number, now: number, isOld: boolean): Promise<void> {
    if (this.#engine !== null) await this.#kill();
    this.#app = isOld ? await oldApp() : presentApp;
    this.#seed = seed;
    this.#number = number;
    this.#time = new EventTime(now);
    this.#random = chanceOf(seed * 64 + number);
    giveSource({ time: this.#time, random: this.#random });
    this.#disk = new Disk();
    this.#life = new Life(this.#disk);
    this.#network = new DeviceNetwork(this.#time);
    this.#drafts = new Set();
    this.#uuids = 0;
    this.#turn = null;
  }

  /**
   * Starts a command. `now`: true time, until which the device sleeps first; `runsOn`: ms that it runs on afterwards.
   */
  async run(command: Command, now: number, chunks: Chunk[], runsOn: number): Promise<Output> {
    this.#time.passTo(now);
    this.#network.bring(chunks);
    const turn: Turn = { outcome: null, since: this.#time.now(), runsOn, endsAt: null };
    this.#turn = turn;
    this.#do(command).then(
      (value) => (turn.outcome = { value }),
      (error: unknown) => (turn.outcome = { error }),
    );
    return this.#drive();
  }

  /** Kills the app immediately; returns the result so far of the current action. */
  async kill(): Promise<Output> {
    await this.#kill();
    this.#asked = null;
    return this.#output({ state: 'died', value: this.#done });
  }

  /** Continues after a request. */
  async reply(reply: Reply, chunks: Chunk[]): Promise<Output> {
    this.#network.reply(must(this.#asked, 'a request'), reply);
    this.#asked = null;
    this.#network.bring(chunks);
    return this.#drive();
  }

  async #drive(): Promise<Output> {
    const turn = must(this.#turn, 'a turn');
    for (;;) {
      await settled();
      if (this.#life.isDead && this.#engine !== null) {
        await this.#kill();
        return this.#output({ state: 'died', value: this.#done });
      }
      const asked = this.#network.next();
      if (asked !== null) {
        this.#asked = asked.id;
        return this.#output({ state: 'asks', asked });
      }
      if (turn.outcome !== null) turn.endsAt ??= this.#time.now() + turn.runsOn;
      const until = turn.endsAt ?? turn.since + longestAction;
      if (this.#time.runNext(until)) continue;
      if (turn.outcome === null)
        return this.#output({ state: 'failed', name: 'Stuck', message: 'It does not come to an end' });
      this.#time.passTo(until);
      const { outcome } = turn;
      if ('value' in outcome) return this.#output({ state: 'done', value: outcome.value });
      const { error } = outcome;
      const isError = error instanceof Error;
      const [name, message] = isError ? [error.name, error.stack ?? error.message] : ['?', String(error)];
      return this.#output({ state: 'failed', name, message });
    }
  }

  #output(
    output:
      | Pick<Extract<Output, { state: 'asks' }>, 'state' | 'asked'>
      | Pick<Extract<Output, { state: 'done' }>, 'state' | 'value'>
      | Pick<Extract<Output, { state: 'failed' }>, 'state' | 'name' | 'message'>
      | Pick<Extract<Output, { state: 'died' }>, 'state' | 'value'>,
  ): Output {
    return { ...output, now: this.#time.now(), left: this.#network.left() };
  }

  async #do(command: Command): Promise<unknown> {
    switch (command.do) {
      case 'open':
        this.#life = new Life(this.#disk);
        this.#engine = await this.#app.openEngine(this.#platform());
        return null;
      case 'close':
        await this.#opened.close().finally(() => {
          this.#engine = null;
          this.#network.breakOff();
        });
        return null;
      case 'doing':
        this.#done = nothingDone();
        return act(this.#userSession, command.doing, this.#done);
      case 'sign-in':
        return this.#opened.actions.signIn(command.server, command.email, command.password);
      case 'sign-out':
        return this.#opened.actions.signOut();
      case 'online':
        this.#network.setOnline(command.on);
        return null;
      case 'run':
        return null;
      case 'sleep':
        this.#time.passTo(this.#time.now() + command.ms);
        return null;
      case 'wall':
        this.#time.setWall(command.offset);
        return null;
      case 'look':
        return this.#see(false);
      case 'state':
        return this.#see(true);
      case 'fault':
        return this.#suffer(command.fault, command.picks);
      case 'mend':
        this.#disk.room = Infinity;
        this.#disk.isDatabaseFull = false;
        this.#life.dieAt(null);
        return null;
      case 'raw':
        return this.#disk.holding(command.words);
      case 'decide':
        this.#done = nothingDone();
        await decideOne(this.#userSession, command.picks, this.#done);
        return this.#done;
    }
  }

  #suffer(fault: DeviceFault, [first = 0, second = 0]: number[]): void {
    const disk = this.#disk;
    switch (fault) {
      case 'kill-in-write':
        this.#life.dieAt({ write: 1 + (first % 6), torn: second });
        return;
      case 'journal-full':
        disk.room = disk.journalBytes + first * 3;
        return;
      case 'database-full':
        disk.isDatabaseFull = true;
        return;
      case 'lose-databases':
        disk.loseDatabases();
        return;
      case 'lose-journal':
        disk.journal.clear();
        return;
      case 'flip-journal':
        disk.flip(first, second);
        return;
      case 'lose-both':
        disk.loseDatabases();
        disk.flip(first, second);
        return;
      case 'clock-jump':
        this.#time.setWall((first + 1) * 3_600_000);
        return;
      case 'clock-back':
        this.#time.setWall(-(first + 1) * 3_600_000);
        return;
      default:
    }
  }

  /** Quarantined texts, place by place. */
  async #keptTexts(): Promise<string[]> {
    if (this.#app !== presentApp) return [];
    const store = memoryStore({}, new Map(this.#disk.journal));
    const journal = await openJournal(store, { now: () => this.#time.wall(), uuid: () => '' });
    const { meta } = await journal.entries();
    const kept = [...meta].filter(([id]) => id.startsWith('kept/'));
    return kept.flatMap(([, value]) =>
      (keptWords.safeParse(value).data?.words ?? []).map((word) => JSON.stringify(word.value)),
    );
  }

  get #opened(): Engine {
    return must(this.#engine, 'an open app');
  }

  get #userSession(): UserSession {
    return {
      actions: this.#opened.actions,
      look: (name, ...args) => this.#look(name, ...args),
      drafts: this.#drafts,
    };
  }

  /** Kills the app immediately; the disk stays as it is. */
  async #kill(): Promise<void> {
    this.#life.die();
    const engine = this.#engine;
    this.#engine = null;
    const now = this.#time.now();
    this.#network.breakOff();
    // Releases its collections; its writes meanwhile reach nothing.
    const closing = engine?.close().catch(() => undefined);
    let isClosed = closing === undefined;
    void closing?.finally(() => (isClosed = true));
    for (let turn = 0; !isClosed; turn += 1) {
      await settled();
      this.#network.breakOff();
      if (!isClosed && (!this.#time.runNext(Infinity) || turn > 5000) && turn > 1000)
        throw new Error('A dead app does not close');
    }
    this.#time.clear(now);
  }

  #look<V extends keyof Views>(name: V, ...args: Parameters<Views[V]>): Promise<SeenOf<V>> {
    const view = this.#opened.views[name] as (...given: Parameters<Views[V]>) => Live<SeenOf<V>>;
    return new Promise((resolve, reject) => {
      let stop: () => void = () => undefined;
      stop = view(...args).subscribe((value) => {
        resolve(value);
        queueMicrotask(() => stop());
      }, reject);
    });
  }

  /** Everything that the person at this device can find. */
  async #see(isShort: boolean): Promise<Seen> {
    const session = await this.#look('session');
    const state = await this.#look('syncState');
    const seen: Seen = {
      person: session.user?.username ?? null,
      status: session.status,
      isLossTold: session.loss !== null || session.damage !== null,
      pending: state.pending,
      parked: state.parked,
      blocked: 0,
      conflicts: state.conflicts,
      phase: state.phase,
      connection: state.connection,
      trouble: state.trouble,
      interference: state.interference !== null,
      tooOld: state.tooOld,
      elsewhere: session.elsewhere.reduce((sum, { changes }) => sum + changes, 0),
      kept: [],
      refusals: [],
      quarantine: [],
      hidden: [],
      orphaned: [],
      numbers: [],
      guides: {},
      pages: {},
      orders: [],
    };
    if (session.user === null) return seen;
    const activity = await this.#look('activity');
    seen.blocked = blockedIn(activity);
    if (isShort) return seen;
    for (const item of activity.filter((one) => one.state !== 'on-the-server'))
      seen.kept.push(JSON.stringify(item));
    for (const { kind, state, subject } of activity)
      if (kind === 'work-order' && state !== 'on-the-server') seen.numbers.push(subject);
    for (const { id, refusal } of activity) if (refusal !== null) seen.refusals.push([id, refusal.status]);
    const undecided = activity.filter((one) => one.state === 'needs-decision');
    const frozen = (await this.#look('workOrders')).filter((order) => order.frozen);
    for (const { id, entryid, call } of undecided) {
      if (id.startsWith('conflict:') || frozen.some((order) => order.entryid === entryid)) continue;
      const isOrphaned = entryid !== null && (await this.#isOrphaned(entryid, call.path));
      if (isOrphaned) seen.orphaned.push({ id, entryid });
      else seen.hidden.push(id);
    }
    const open = undecided.filter(({ id }) => id.startsWith('conflict:')).map(({ id }) => id.slice(9));
    for (const id of new Set(open)) {
      const found = await this.#look('conflict', id);
      if (found === null || found.conflicts.length === 0) seen.hidden.push(id);
      for (const { mine, theirs, base } of found?.conflicts ?? [])
        seen.kept.push(textOf(mine), textOf(theirs), base);
    }
    for (const item of await this.#look('keptWords')) seen.kept.push(JSON.stringify(item));
    seen.quarantine.push(...(await this.#keptTexts()));
    const { guides } = await this.#look('library', { category: null });
    for (const { guideid } of guides) await this.#seeGuide(guideid, seen);
    for (const id of this.#drafts) {
      const draft = await this.#look('draft', id);
      if (draft?.dirty === true) seen.kept.push(JSON.stringify(draft.content));
    }
    for (const { wikiid } of await this.#look('pages', 'INFO')) {
      const page = await this.#look('page', wikiid);
      if (page !== null) seen.pages[`${page.title}`] = page.text.contents;
    }
    for (const order of await this.#look('workOrders')) {
      const { workorderid, status, values, mine, pending } = order;
      const texts = Object.values(values).map(({ value }) => value);
      seen.orders.push({ order: workorderid, status, values: texts.toSorted(), mine, pending });
    }
    seen.orders.sort((a, b) => a.order.localeCompare(b.order));
    return seen;
  }

  /** Whether a work order is missing on this device, while the work on it is exported with the call of this path. */
  async #isOrphaned(entryid: string, path: string): Promise<boolean> {
    if ((await this.#look('workOrder', entryid)) !== null) return false;
    const file = await this.#opened.actions.exportOrder(entryid).catch(() => null);
    return file?.json.includes(JSON.stringify(path)) === true;
  }

  async #seeGuide(guideid: string, seen: Seen): Promise<void> {
    const guide = await this.#look('guide', guideid);
    if (guide === null) return;
    if (guide.editState === 'draft' || guide.editState === 'conflict') this.#drafts.add(guideid);
    const own = guide.steps.filter((step) => step.guideid === guide.guideid);
    const comments = guide.comments.flatMap((one) => [one, ...one.replies]).map(({ text }) => text);
    const shown: ShownGuide = {
      title: guide.title,
      text: JSON.stringify([
        guide.title,
        guide.summary,
        plain(guide.introductionHtml),
        plain(guide.conclusionHtml),
        own.map(({ title, lines }) => [title, ...lines.map(({ text }) => text)]),
      ]),
      comments: comments.toSorted(),
      tags: guide.tags.toSorted(),
      favorite: guide.favorite,
      completed: guide.completed,
      isPending: guide.editState !== 'none' || guideid.startsWith('tmp:'),
    };
    seen.guides[guideid] = shown;
  }

  #platform(): Platform {
    const life = this.#life;
    const network = this.#network;
    const environment: Platform['environment'] = {
      now: () => this.#time.wall(),
      monotonic: () => this.#time.monotonic(),
      pageSession: `page-${this.#number}-${this.#uuid()}`,
      uuid: () => this.#uuid(),
      random: () => this.#random(),
      randomBytes: (size) => Uint8Array.from({ length: size }, () => Math.floor(this.#random() * 256)),
      fetch: (input, init) => {
        if (life.isDead) return Promise.reject(new TypeError('The app is dead'));
        return network.fetch(input, init);
      },
      setTimer: (run, ms) => this.#time.setTimer(run, ms),
      online: network.online,
    };
    let locked: Promise<unknown> = Promise.resolve();
    return {
      environment,
      openJournal: () => this.#app.openJournal(life.journalStore(), environment),
      storage: life.storage(this.#disk.storage),
      places: life.places(),
      multiInstance: false,
      lock: (_, run) => {
        const result = locked.then(run);
        locked = result.catch(() => undefined);
        return result;
      },
      secrets: life.secrets(),
      media: life.media(),
      openArchiveFiles: async () => memoryArchiveFiles(this.#disk.archives),
      defaultServer: null,
      appId: null,
      insecure: false,
    };
  }

  /** Like a UUIDv7: later ids sort after earlier ones. */
  #uuid(): string {
    this.#uuids += 1;
    const time = Math.floor(this.#time.now()).toString(16).padStart(12, '0');
    const count = this.#uuids.toString(16).padStart(8, '0');
    const whose = (this.#seed * 64 + this.#number).toString(16).padStart(8, '0').slice(-8);
    return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${whose.slice(-4)}${count}`;
  }
}

/** Number of calls that wait, directly or not, for a refused call or a decision. */
function blockedIn(activity: readonly ActivityItem[]): number {
  const stuck = new Set(
    activity.filter(({ state }) => state === 'parked' || state === 'needs-decision').map(({ id }) => id),
  );
  const about = (item: ActivityItem): string => [item.entryid, item.guideid, item.wikiid].join(' ');
  const places = new Set(activity.filter(({ id }) => stuck.has(id)).map(about));
  const queued = activity.filter(({ state }) => state === 'queued');
  for (let before = -1; before !== stuck.size;) {
    before = stuck.size;
    for (const item of queued)
      if (places.has(about(item)) || (item.waitsFor !== null && stuck.has(item.waitsFor))) {
        stuck.add(item.id);
        places.add(about(item));
      }
  }
  return queued.filter(({ id }) => stuck.has(id)).length;
}

/** The words of safe HTML. */
function plain(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
