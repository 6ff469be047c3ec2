import type { Engine } from '#desktop/engine/engine.ts';
import { keptWords } from '#desktop/engine/account/leaving/quarantine.ts';
import { openJournal } from '#desktop/engine/journal/local-journal.ts';
import { memoryStore } from '#desktop/engine/journal/memory.ts';
import { must } from '#shared/must.ts';

import { oldApp, presentApp, type App } from './app.ts';
import { DeviceNetwork } from './device-network.ts';
import { DeviceChance, platformOf, type DeviceParts } from './device-platform.ts';
import { DeviceViews } from './device-views.ts';
import { Disk, Life } from './disk.ts';
import { act } from './doings/act.ts';
import { nothingDone } from './doings/done.ts';
import { EventTime } from './event-time.ts';
import type { DeviceFault } from './plan.ts';
import { settled, giveSource } from './stillness.ts';
import { userSessionOf, whileActing, type UserSession } from './user-session.ts';
import type { Chunk, Command, Output, Reply } from './wire.ts';

/** Virtual ms after which an unfinished action counts as stuck. */
const longestAction = 30 * 60_000;

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
  #parts = newParts(presentApp, 0, 0, 0);
  #life = new Life(this.#parts.disk);
  #engine: Engine | null = null;
  #turn: Turn | null = null;
  #drafts = new Set<string>();
  #asked: number | null = null;
  /** The result so far of the current action. */
  #done = nothingDone();

  /** Creates an empty device. `isOld`: it runs the app of protocol 5. */
  async begin(seed: number, number: number, now: number, isOld: boolean): Promise<void> {
    if (this.#engine !== null) await this.#kill();
    const app = isOld ? await oldApp() : presentApp;
    this.#parts = newParts(app, seed, number, now);
    const { time, chance, disk } = this.#parts;
    giveSource({ time, random: chance.random });
    this.#life = new Life(disk);
    this.#drafts = new Set();
    this.#turn = null;
  }

  /**
   * Starts a command. `now`: true time, until which the device sleeps first; `runsOn`: ms that it runs on afterwards.
   */
  async run(command: Command, now: number, chunks: Chunk[], runsOn: number): Promise<Output> {
    this.#parts.time.passTo(now);
    this.#parts.network.bring(chunks);
    const turn: Turn = { outcome: null, since: this.#parts.time.now(), runsOn, endsAt: null };
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
    this.#parts.network.reply(must(this.#asked, 'a request'), reply);
    this.#asked = null;
    this.#parts.network.bring(chunks);
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
      const asked = this.#parts.network.next();
      if (asked !== null) {
        this.#asked = asked.id;
        return this.#output({ state: 'asks', asked });
      }
      if (turn.outcome !== null) turn.endsAt ??= this.#parts.time.now() + turn.runsOn;
      const until = turn.endsAt ?? turn.since + longestAction;
      if (this.#parts.time.runNext(until)) continue;
      if (turn.outcome === null)
        return this.#output({ state: 'failed', name: 'Stuck', message: 'It does not come to an end' });
      this.#parts.time.passTo(until);
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
    return { ...output, now: this.#parts.time.now(), left: this.#parts.network.left() };
  }

  async #do(command: Command): Promise<unknown> {
    switch (command.do) {
      case 'open':
        this.#life = new Life(this.#parts.disk);
        this.#engine = await this.#parts.app.openEngine(platformOf(this.#parts, this.#life));
        return null;
      case 'close':
        await this.#opened.close().finally(() => {
          this.#engine = null;
          this.#parts.network.breakOff();
        });
        return null;
      case 'doing':
        this.#done = nothingDone();
        if (this.#parts.app.lacks.has(command.doing.kind)) return this.#done;
        return act(this.#userSession, command.doing, this.#done);
      case 'doing-at-station':
        this.#done = nothingDone();
        return this.#actAtStation(command);
      case 'enrol':
        return this.#opened.actions.enrolStation(command.server, command.code);
      case 'show-at-station':
        return this.#opened.actions.signInAtStation(command.proof);
      case 'lock-station':
        return this.#opened.actions.lockStation();
      case 'sign-in':
        return this.#opened.actions.signIn(command.server, command.email, command.password);
      case 'sign-out':
        return this.#opened.actions.signOut();
      case 'online':
        this.#parts.network.setOnline(command.on);
        return null;
      case 'run':
        return null;
      case 'sleep':
        this.#parts.time.passTo(this.#parts.time.now() + command.ms);
        return null;
      case 'wall':
        this.#parts.time.setWall(command.offset);
        return null;
      case 'look':
        return this.#views.read(false);
      case 'state':
        return this.#views.read(true);
      case 'fault':
        return this.#suffer(command.fault, command.picks);
      case 'mend':
        this.#parts.disk.room = Infinity;
        this.#parts.disk.isDatabaseFull = false;
        this.#life.dieAt(null);
        return null;
      case 'raw':
        return this.#parts.disk.holding(command.words);
    }
  }

  /** The person touches the station and acts; `next` happens once the action has begun, and before it ends. */
  async #actAtStation({ doing, next }: Extract<Command, { do: 'doing-at-station' }>): Promise<unknown> {
    const { actions } = this.#opened;
    actions.touchStation();
    if (next === undefined) return act(this.#userSession, doing, this.#done);
    const shown = Promise.withResolvers<unknown>();
    const meanwhile = (): void => {
      actions.lockStation();
      shown.resolve(next === null ? null : actions.signInAtStation(next));
    };
    const done = await act(whileActing(this.#userSession, meanwhile), doing, this.#done);
    if (done.what === null) return done;
    await shown.promise;
    return done;
  }

  #suffer(fault: DeviceFault, [first = 0, second = 0]: number[]): void {
    const disk = this.#parts.disk;
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
        this.#parts.time.setWall((first + 1) * 3_600_000);
        return;
      case 'clock-back':
        this.#parts.time.setWall(-(first + 1) * 3_600_000);
        return;
      default:
    }
  }

  get #opened(): Engine {
    return must(this.#engine, 'an open app');
  }

  get #userSession(): UserSession {
    return userSessionOf(() => this.#opened, this.#drafts);
  }

  get #views(): DeviceViews {
    return new DeviceViews(this.#userSession, () => quarantineOf(this.#parts));
  }

  /** Kills the app immediately; the disk stays as it is. */
  async #kill(): Promise<void> {
    this.#life.die();
    const engine = this.#engine;
    this.#engine = null;
    const now = this.#parts.time.now();
    this.#parts.network.breakOff();
    // Releases its collections; its writes meanwhile reach nothing.
    const closing = engine?.close().catch(() => undefined);
    let isClosed = closing === undefined;
    void closing?.finally(() => (isClosed = true));
    for (let turn = 0; !isClosed; turn += 1) {
      await settled();
      this.#parts.network.breakOff();
      if (!isClosed && (!this.#parts.time.runNext(Infinity) || turn > 5000) && turn > 1000)
        throw new Error('A dead app does not close');
    }
    this.#parts.time.clear(now);
  }
}

/** The parts of an empty device. */
function newParts(app: App, seed: number, number: number, now: number): DeviceParts {
  const time = new EventTime(now);
  const chance = new DeviceChance(seed, number, time);
  return { app, disk: new Disk(), network: new DeviceNetwork(time), time, chance };
}

/** Quarantined texts, place by place. */
async function quarantineOf({ app, disk, time }: DeviceParts): Promise<string[]> {
  if (app !== presentApp) return [];
  const store = memoryStore({}, new Map(disk.journal));
  const journal = await openJournal(store, { now: () => time.wall(), uuid: () => '' });
  const { meta } = await journal.entries();
  const kept = [...meta].filter(([id]) => id.startsWith('kept/'));
  return kept.flatMap(([, value]) =>
    (keptWords.safeParse(value).data?.words ?? []).map((word) => JSON.stringify(word.value)),
  );
}
