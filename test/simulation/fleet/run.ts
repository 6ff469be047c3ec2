import { createHash } from 'node:crypto';

import { must } from '#shared/must.ts';

import { wordOf, wordsIn, type Done } from './doings.ts';
import type { FleetWorld, RemoteDevice } from './fleet-world.ts';
import { Ledger } from './ledger.ts';
import { judge, type Violation } from './oracle.ts';
import type { Plan, Step, Trap, WireFault } from './plan.ts';
import { address, password, type Account } from './server-names.ts';
import type { Asked, Chunk, Command, Output, Reply, Seen } from './wire.ts';

/** How a run ended. */
export interface Result {
  plan: Plan;
  violations: Violation[];
  /** What actors did and saw, step by step. */
  trace: string[];
  /** Of the trace. */
  sha256: string;
  /** Actions and faults that took place, by kind. */
  actions: Map<string, number>;
  faults: Map<string, number>;
  /** Virtual ms. */
  lasted: number;
}

/** Virtual ms that a request and its answer take. */
const latency = 40;
/** Virtual ms within which everything must be at rest after the faults end. */
const longestUnrest = 3 * 60 * 60_000;
const began = Date.UTC(2026, 0, 5, 8);

interface Suspended {
  asked: Asked;
  answer: Reply | null;
}

class Member {
  readonly index: number;
  readonly thread: RemoteDevice;
  person: number | null;
  isOnline = true;
  isOpen = false;
  traps: Trap[] = [];
  inbox: Chunk[] = [];
  suspended: Suspended | null = null;
  /** What is to be done with the outcome of the turn under way. */
  ended: (output: Output) => void = () => undefined;

  constructor(index: number, thread: RemoteDevice, person: number) {
    this.index = index;
    this.thread = thread;
    this.person = person;
  }
}

/** Plays a plan; one device runs at a time, and no clock but the virtual ones is looked at. */
export class Run {
  readonly #world: FleetWorld;
  readonly #plan: Plan;
  readonly #ledger = new Ledger();
  readonly #trace: string[] = [];
  readonly #violations: Violation[] = [];
  readonly #actions = new Map<string, number>();
  readonly #faults = new Map<string, number>();
  readonly #owners = new Map<number, Member>();
  #late: Asked[] = [];
  #members: Member[] = [];
  #accounts: Account[] = [];
  #now = began;
  #quiet = false;

  constructor(world: FleetWorld, plan: Plan) {
    this.#world = world;
    this.#plan = plan;
  }

  async play(): Promise<Result> {
    try {
      await this.#begin();
      for (const step of this.#plan.steps) {
        await this.#step(step);
        if (this.#violations.length > 0) break;
      }
    } catch (error) {
      this.#violations.push({
        rule: 'F7',
        what: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
    return {
      plan: this.#plan,
      violations: this.#violations,
      trace: this.#trace,
      sha256: createHash('sha256').update(this.#trace.join('\n')).digest('hex'),
      actions: this.#actions,
      faults: this.#faults,
      lasted: this.#now - began,
    };
  }

  async #begin(): Promise<void> {
    const { seed, people, guides, devices } = this.#plan;
    this.#accounts = await this.#world.server.begin(seed, this.#now, people, guides);
    const threads = this.#world.devices(devices.length);
    this.#members = devices.map(
      (person, index) => new Member(index, must(threads[index], 'a device'), person),
    );
    for (const member of this.#members) {
      await member.thread.begin(seed, member.index, this.#now);
      await this.#turn(member, { do: 'open' }, 0);
      member.isOpen = true;
      await this.#signIn(member, must(member.person, 'a person'));
      await this.#turn(member, { do: 'run', ms: 0 }, 5000);
    }
  }

  #say(what: string): void {
    this.#trace.push(what);
  }

  #count(counts: Map<string, number>, what: string): void {
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }

  /** People of devices: the accounts after the administrator and the plain client. */
  #account(person: number): Account {
    return must(this.#accounts[2 + person], 'an account');
  }

  async #step(step: Step): Promise<void> {
    switch (step.do) {
      case 'act':
        return this.#act(step);
      case 'run': {
        const member = this.#member(step.device);
        return this.#turn(member, { do: 'run', ms: step.ms }, step.ms);
      }
      case 'online':
        return this.#online(this.#member(step.device), step.on);
      case 'restart':
        return this.#restart(this.#member(step.device));
      case 'trap':
        this.#member(step.device).traps.push({ ...step.trap });
        return;
      case 'plain':
        return this.#plain(step);
      case 'time':
        this.#now += step.ms;
        return this.#hear(await this.#world.server.advance(this.#now));
      case 'quiet':
        return this.#rest();
      default:
        return;
    }
  }

  #member(device: number): Member {
    return must(this.#members[device % this.#members.length], 'a device');
  }

  async #act({ device, doing, ms }: Extract<Step, { do: 'act' }>): Promise<void> {
    const member = this.#member(device);
    const person = member.person;
    if (!member.isOpen || person === null) return;
    const { name } = this.#account(person);
    // What people do takes them time.
    this.#now += 1000;
    await this.#turn(member, { do: 'doing', doing }, ms, (output) => {
      if (output.state === 'done') {
        const done = output.value as Done;
        if (done.what === null) return;
        this.#count(this.#actions, doing.kind);
        this.#ledger.note(name, member.index, done);
        this.#say(
          `${doing.id} device ${member.index} ${name}: ${done.what}${done.refused === null ? '' : ` (${done.refused})`}`,
        );
        return;
      }
      if (output.state === 'failed')
        this.#violations.push({
          rule: 'F7',
          what: `${doing.kind} (${doing.id}) of ${name} on device ${member.index}: ${output.name}: ${output.message}`,
        });
    });
  }

  async #online(member: Member, on: boolean): Promise<void> {
    await this.#finish(member);
    if (member.isOnline === on) return;
    member.isOnline = on;
    this.#say(`device ${member.index} ${on ? 'online' : 'offline'}`);
    await this.#turn(member, { do: 'online', on }, 100);
  }

  async #restart(member: Member): Promise<void> {
    await this.#finish(member);
    this.#say(`device ${member.index} restarted`);
    await this.#turn(member, { do: 'close' }, 0);
    await this.#turn(member, { do: 'open' }, 100);
  }

  async #signIn(member: Member, person: number): Promise<void> {
    const { email } = this.#account(person);
    await this.#turn(member, { do: 'sign-in', server: address, email, password }, 0, (output) => {
      if (output.state === 'failed')
        this.#violations.push({ rule: 'F7', what: `sign-in on device ${member.index}: ${output.message}` });
    });
    member.person = person;
  }

  /** Something happens on a device: whatever was suspended there goes on first. */
  async #turn(
    member: Member,
    command: Command,
    runsOn: number,
    then: (output: Output) => void = (output) => {
      if (output.state === 'failed')
        this.#violations.push({
          rule: 'F7',
          what: `${command.do} on device ${member.index}: ${output.name}: ${output.message}`,
        });
    },
  ): Promise<void> {
    await this.#finish(member);
    member.ended = then;
    const output = await member.thread.run(command, this.#now, member.inbox.splice(0), runsOn);
    await this.#follow(member, output);
  }

  /** Lets what was suspended go on to its end. */
  async #finish(member: Member): Promise<void> {
    while (member.suspended !== null) {
      const { asked, answer } = member.suspended;
      member.suspended = null;
      const reply = answer ?? (await this.#exchange(member, asked));
      await this.#follow(member, await member.thread.reply(reply, member.inbox.splice(0)));
    }
  }

  async #follow(member: Member, first: Output): Promise<void> {
    let output = first;
    for (;;) {
      this.#now = Math.max(this.#now, output.now);
      if (output.left.length > 0) await this.#world.server.leave(output.left);
      if (output.state !== 'asks') break;
      const reply = await this.#answer(member, output.asked);
      if (reply === null) return;
      output = await member.thread.reply(reply, member.inbox.splice(0));
    }
    member.ended(output);
  }

  /** What becomes of a request; null: it stands still. */
  async #answer(member: Member, asked: Asked): Promise<Reply | null> {
    const fault = this.#faultFor(member, asked);
    if (fault === null) return this.#exchange(member, asked);
    this.#count(this.#faults, fault);
    this.#say(`device ${member.index} ${fault} ${asked.method} ${new URL(asked.url).pathname}`);
    return this.#faulty(member, asked, fault);
  }

  #faultFor(member: Member, asked: Asked): WireFault | null {
    if (this.#quiet) return null;
    const { pathname } = new URL(asked.url);
    for (const trap of member.traps) {
      if (trap.on === 'batch' && !pathname.endsWith('/batch')) continue;
      if (trap.on === 'pull' && !pathname.endsWith('/pull')) continue;
      if (trap.skip > 0) {
        trap.skip -= 1;
        continue;
      }
      trap.count -= 1;
      if (trap.count <= 0) member.traps = member.traps.filter((one) => one !== trap);
      return trap.fault;
    }
    return null;
  }

  async #faulty(member: Member, asked: Asked, fault: WireFault): Promise<Reply | null> {
    const failed: Reply = { kind: 'failed', after: latency };
    switch (fault) {
      case 'refused':
        return failed;
      case 'lost':
        await this.#exchange(member, asked);
        return failed;
      case 'cut': {
        const reply = await this.#exchange(member, asked);
        return reply.kind === 'answer' ? { ...reply, kind: 'cut' } : failed;
      }
      case 'slow': {
        const reply = await this.#exchange(member, asked);
        return reply.kind === 'silence' ? reply : { ...reply, after: 90_000 };
      }
      case 'silence':
        return { kind: 'silence' };
      case 'twice':
        if (isStream(asked)) return failed;
        await this.#exchange(member, asked);
        return this.#exchange(member, asked);
      case 'late':
        if (!isStream(asked)) this.#late.push(asked);
        return failed;
      case 'suspend-before':
        member.suspended = { asked, answer: null };
        return null;
      case 'suspend-after':
        member.suspended = { asked, answer: await this.#exchange(member, asked) };
        return null;
      default:
        return failed;
    }
  }

  /** The request reaches the server and is answered. */
  async #exchange(member: Member, asked: Asked): Promise<Reply> {
    const { answer, stream, chunks } = await this.#world.server.exchange(asked, this.#now);
    if (stream !== null) this.#owners.set(stream, member);
    this.#hear(chunks);
    if (stream === null) return { kind: 'answer', answer, after: latency };
    return { kind: 'stream', answer, stream, after: latency };
  }

  #hear(chunks: Chunk[]): void {
    for (const chunk of chunks) this.#owners.get(chunk.stream)?.inbox.push(chunk);
  }

  async #plain({ what, id, picks }: Extract<Step, { do: 'plain' }>): Promise<void> {
    const account = must(this.#accounts[1], 'the plain client');
    const word = wordOf(id);
    const call = async (
      method: string,
      path: string,
      body: object | null,
    ): Promise<{ status: number; body: unknown }> => {
      const {
        status,
        body: said,
        chunks,
      } = await this.#world.server.call(account.token, method, path, body, this.#now);
      this.#hear(chunks);
      return { status, body: said };
    };
    if (what === 'guide') {
      const body = { category: 'Radio', type: 'repair', title: `Guide ${word}`, public: true };
      if ((await call('POST', '/guides', body)).status < 300)
        this.#ledger.notePlain(account.name, word, 'guide');
      this.#say(`${id} plain guide ${word}`);
      return;
    }
    const { body: list } = await call('GET', '/guides?limit=200', null);
    const guides = list as { guideid: number; revisionid: number; summary: string }[];
    const guide = guides[(picks[0] ?? 0) % Math.max(1, guides.length)];
    if (guide === undefined) return;
    this.#count(this.#actions, `plain ${what}`);
    if (what === 'comment') {
      await call('POST', `/comments/guide/${guide.guideid}`, { text: `Comment ${word}` });
      this.#ledger.notePlain(account.name, word, 'comment');
    } else if (what === 'replace' || what === 'append') {
      const { body } = await call('GET', `/guides/${guide.guideid}`, null);
      const { revisionid, summary } = body as { revisionid: number; summary: string };
      const next = what === 'replace' || summary.length > 120 ? word : `${summary} ${word}`.trim();
      const path = `/guides/${guide.guideid}?revisionid=${revisionid}`;
      const { status } = await call('PATCH', path, { summary: next });
      if (status >= 300) return;
      this.#ledger.notePlain(account.name, word, 'guide');
      const left = new Set(wordsIn(next));
      for (const one of wordsIn(summary)) if (!left.has(one)) this.#ledger.forgive(one, 'taken back');
    }
    this.#say(`${id} plain ${what} ${word} on ${guide.guideid}`);
  }

  /** The faults end; when nothing moves any more, what is there is judged. */
  async #rest(): Promise<void> {
    this.#quiet = true;
    for (const member of this.#members) {
      await this.#finish(member);
      await this.#online(member, true);
      member.traps = [];
    }
    for (const asked of this.#late.splice(0)) {
      const { chunks } = await this.#world.server.exchange(asked, this.#now);
      this.#hear(chunks);
    }
    const since = this.#now;
    let last = '';
    for (let equal = 0; equal < 2;) {
      await this.#together(20_000);
      const states = await this.#looks(true);
      const text = JSON.stringify(states);
      const isIdle = states.every(
        ({ pending, blocked, phase, connection, status }) =>
          status !== 'signed-in' || (pending <= blocked && phase === 'idle' && connection === 'online'),
      );
      equal = isIdle && text === last ? equal + 1 : 0;
      last = text;
      if (this.#now - since > longestUnrest) break;
    }
    const seen = await this.#looks(false);
    const stored = await this.#world.server.stored();
    this.#violations.push(...judge({ ledger: this.#ledger, stored, seen }));
    for (const flaw of await this.#world.server.flaws())
      // Who hides somebody else's guide does not see it afterwards, and so no replay either.
      if (!flaw.endsWith('a replay gives Problem: Guide not found'))
        this.#violations.push({ rule: 'F7', what: flaw });
    this.#say(`quiet ${createHash('sha256').update(JSON.stringify(seen)).digest('hex').slice(0, 16)}`);
    this.#quiet = false;
  }

  /** Time passes for all devices at once, as far as one thing after the other can. */
  async #together(ms: number): Promise<void> {
    const began = this.#now;
    const until = began + ms;
    for (const member of this.#members) {
      this.#now = began;
      await this.#turn(member, { do: 'run', ms: 0 }, ms);
    }
    this.#now = Math.max(this.#now, until);
  }

  async #looks(isShort: boolean): Promise<Seen[]> {
    const seen: Seen[] = [];
    for (const member of this.#members)
      await this.#turn(member, { do: isShort ? 'state' : 'look' }, 0, (output) => {
        if (output.state === 'done') seen.push(output.value as Seen);
        else if (output.state === 'failed')
          this.#violations.push({ rule: 'F7', what: `look at device ${member.index}: ${output.message}` });
      });
    return seen;
  }
}

function isStream(asked: Asked): boolean {
  return new URL(asked.url).pathname.endsWith('/events');
}
