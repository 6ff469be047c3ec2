import type { RemoteDevice } from '../fleet-world.ts';
import { address, otherAddress } from '../server-names.ts';
import type { Command, Output, Seen } from '../wire.ts';
import { Connection } from './connection.ts';
import type { RunContext } from './context.ts';
import type { Network } from './network.ts';

type Failed = Extract<Output, { state: 'failed' }>;

/** Errors of a sign-in that the app may report. */
const refusedSignIns = ['Problem', 'UnprovedServer', 'JournalError', 'QuotaExceededError'];

/** A device of the run: it performs one command after the other, while its requests go through the network. */
export class Member {
  readonly index: number;
  readonly connection: Connection;
  /** Everyone who ever signed in here. */
  readonly people = new Set<number>();
  readonly #thread: RemoteDevice;
  readonly #network: Network;
  readonly #context: RunContext;
  #isOnline = true;
  #isOpen = false;
  /** Receives the outcome of the current turn. */
  #ended: (output: Output) => void = () => undefined;

  /** `person`: who will sign in first; null: at a station. */
  constructor(
    index: number,
    thread: RemoteDevice,
    person: number | null,
    network: Network,
    context: RunContext,
  ) {
    this.index = index;
    this.connection = new Connection(index, person);
    this.#thread = thread;
    this.#network = network;
    this.#context = context;
  }

  /** Who is signed in. */
  get person(): number | null {
    return this.connection.person;
  }

  /** Creates the device. `isOld`: it runs the app of protocol 5. */
  async begin(seed: number, isOld: boolean): Promise<void> {
    await this.#thread.begin(seed, this.index, this.#context.clock.now, isOld);
  }

  /** Runs a command and lets the device run on, ms; a suspended command finishes first. `then`: receives the outcome. */
  async turn(
    command: Command,
    runsOn: number,
    then: (output: Output) => void = (output) => {
      if (output.state === 'failed') this.broke(command.do, output);
    },
  ): Promise<void> {
    await this.#finish();
    this.#ended = then;
    const { now } = this.#context.clock;
    await this.#follow(await this.#thread.run(command, now, this.connection.heard(), runsOn));
  }

  /** FLEET-7: an action of the app failed without a message. */
  broke(what: string, { name, message }: Failed): void {
    this.#context.record.broke('FLEET-7', `${what} on device ${this.index}: ${name}: ${message}`);
  }

  async open(): Promise<void> {
    await this.#finish();
    if (this.#isOpen) return;
    this.#isOpen = true;
    // A station starts locked.
    if (this.connection.reader !== null) this.connection.person = null;
    await this.turn({ do: 'open' }, 100);
  }

  async close(): Promise<void> {
    await this.#finish();
    if (!this.#isOpen) return;
    await this.turn({ do: 'close' }, 0, (output) => {
      if (output.state === 'failed' && !isOfFullDisk(output)) this.broke('close', output);
    });
    this.#isOpen = false;
  }

  async restart(): Promise<void> {
    await this.open();
    this.#context.record.say(`device ${this.index} restarted`);
    await this.close();
    await this.open();
  }

  async setOnline(on: boolean): Promise<void> {
    await this.#finish();
    if (this.#isOnline === on) return;
    this.#isOnline = on;
    if (!on) this.connection.onOffline();
    this.#context.record.say(`device ${this.index} ${on ? 'online' : 'offline'}`);
    await this.turn({ do: 'online', on }, 100);
  }

  /** `other`: at another address of the same server. */
  async signIn(person: number, other = false): Promise<void> {
    await this.open();
    const { people, record } = this.#context;
    const { email, name } = people.account(person);
    const server = other ? otherAddress : address;
    const password = people.passwordOf(person);
    await this.turn({ do: 'sign-in', server, email, password }, 0, (output) => {
      record.say(`device ${this.index} signs in ${name}: ${output.state}`);
      if (output.state === 'failed' && !refusedSignIns.includes(output.name)) this.broke('sign-in', output);
      if (output.state !== 'done') return;
      this.connection.notes.signedIn();
      this.connection.person = person;
      this.people.add(person);
    });
  }

  async signOut(): Promise<void> {
    await this.open();
    if (this.person === null) return;
    this.#context.record.say(`device ${this.index} signs out`);
    await this.turn({ do: 'sign-out' }, 0, (output) => {
      if (output.state === 'failed' && !isOfFullDisk(output)) this.broke('sign-out', output);
    });
    this.connection.person = null;
  }

  /** Kills the app, possibly between a request and its response. */
  async kill(): Promise<void> {
    const { ledger, server } = this.#context;
    ledger.hurt.add(this.index);
    const { suspended } = this.connection;
    this.connection.suspended = null;
    const output = await this.#thread.kill();
    // The outcome of the current action will not be known.
    if (suspended !== null) this.#ended(output);
    this.#isOpen = false;
    this.connection.onDeath();
    if (output.left.length > 0) await server.leave(output.left);
  }

  /** A wrong session is visible at its start: a quiet point starts new ones. */
  async watchSession(): Promise<void> {
    if (!this.#isOpen || this.connection.suspended !== null) return;
    await this.turn({ do: 'state' }, 0, (output) => {
      if (output.state === 'done' && (output.value as Seen).status === 'expired') this.mustHaveEnded();
    });
  }

  /** FLEET-4: an app asks for a sign-in only if the server has refused its session. */
  mustHaveEnded(): void {
    if (this.connection.notes.refused.has('401')) return;
    const what = `device ${this.index} waits for a sign-in, and the server had never ended its session`;
    this.#context.record.broke('FLEET-4', what);
  }

  /** Lets the suspended command finish. */
  async #finish(): Promise<void> {
    for (;;) {
      const reply = await this.#network.resume(this.connection);
      if (reply === null) return;
      await this.#follow(await this.#thread.reply(reply, this.connection.heard()));
    }
  }

  /** Answers the requests of a command until it ends, or the device is suspended. */
  async #follow(first: Output): Promise<void> {
    const { clock, server, ledger, record } = this.#context;
    let output = first;
    for (;;) {
      clock.passTo(output.now);
      if (output.left.length > 0) await server.leave(output.left);
      if (output.state === 'died') {
        this.#isOpen = false;
        this.connection.onDeath();
        ledger.hurt.add(this.index);
        record.say(`device ${this.index} died`);
      }
      if (output.state !== 'asks') break;
      const reply = await this.#network.answer(this.connection, output.asked);
      if (reply === null) return;
      output = await this.#thread.reply(reply, this.connection.heard());
    }
    this.#ended(output);
  }
}

/** A full disk may refuse to store an action. */
function isOfFullDisk({ name }: Failed): boolean {
  return ['JournalError', 'QuotaExceededError'].includes(name);
}
