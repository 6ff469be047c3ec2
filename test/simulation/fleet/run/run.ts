import { createHash } from 'node:crypto';

import { must } from '#shared/must.ts';

import { protocolRange } from '#shared/sync/protocol.ts';

import { Coverage, type FaultKind } from './coverage.ts';
import type { Done } from './doings/done.ts';
import type { FleetWorld, RemoteDevice } from './fleet-world.ts';
import { died, Ledger } from './ledger.ts';
import { interference } from './interference.ts';
import { hiddenWords } from './oracle/hidden-words.ts';
import { judge } from './oracle/judge.ts';
import type { Violation } from './oracle/scene.ts';
import type { DeviceFault, Doing, Plan, ServerFault, Step, Trap } from './plan.ts';
import { address, otherAddress, password, type Account } from './server-names.ts';
import { wordOf, wordsIn } from './words.ts';
import type { Answered, Asked, Chunk, Command, Output, Reply, Seen } from './wire.ts';

/** The result of a run. */
export interface Result {
  plan: Plan;
  violations: Violation[];
  /** Actions and observations, step by step. */
  trace: string[];
  /** Of the trace. */
  sha256: string;
  /** Requests between devices and server, in order: which request it was, and the SHA-256 of request and response. */
  exchanges: string[];
  /** Performed actions and faults, by kind. */
  actions: Map<string, number>;
  faults: Map<string, number>;
  coverage: Coverage;
  /** Virtual ms. */
  lasted: number;
}

/** Virtual ms for a request and its response. */
const latency = 40;
/** Virtual ms beyond every timeout. */
const longestAnswer = 90_000;
/** Virtual ms within which everything must be at rest after the faults end. */
const longestUnrest = 3 * 60 * 60_000;
/** Actions that nearly always find something to act on. */
const insteads = ['save-guide', 'comment', 'page-save', 'start-order'] as const;
/** How long a device remembers sent calls for a restored server (outbox README, OUTBOX-14), virtual ms. */
const sentLife = 90 * 24 * 60 * 60_000;
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
  /** Everyone who ever signed in here. */
  readonly people = new Set<number>();
  /** The store of which the device lost data. After losses in both, unrestored work must be reported. */
  hurt: 'journal' | 'databases' | 'both' | null = null;
  traps: Trap[] = [];
  inbox: Chunk[] = [];
  suspended: Suspended | null = null;
  /** The token of the last sign-in from here, and that of the last completed one. */
  issued: string | null = null;
  token: string | null = null;
  /** When it learns that another server answers at its server's address, virtual ms; null: it sent no request. */
  hearsOther: number | null = null;
  /** The server's refusals to this device: `key status` of calls, and 401 for its session. */
  readonly refused = new Set<string>();
  /** Receives the outcome of the current turn. */
  ended: (output: Output) => void = () => undefined;

  constructor(index: number, thread: RemoteDevice, person: number) {
    this.index = index;
    this.thread = thread;
    this.person = person;
  }
}

/** The server's response to a client without a device. */
interface Said {
  status: number;
  body: unknown;
}

/** Plays a plan; one device runs at a time, and only virtual clocks are used. */
export class Run {
  readonly #world: FleetWorld;
  readonly #plan: Plan;
  readonly #ledger = new Ledger();
  readonly #trace: string[] = [];
  readonly #exchanges: string[] = [];
  readonly #violations: Violation[] = [];
  readonly #actions = new Map<string, number>();
  readonly #faults = new Map<string, number>();
  readonly #coverage = new Coverage();
  readonly #owners = new Map<number, Member>();
  #late: Asked[] = [];
  #members: Member[] = [];
  #accounts: Account[] = [];
  readonly #passwords = new Map<number, string>();
  /** Words and passwords at the newest backup. */
  #backup: { words: Set<string>; passwords: Map<number, string> } | null = null;
  #now = began;
  #quiet = false;
  /** Number of requests that find no server. */
  #goneFor = 0;
  #isOther = false;
  #wasRestored = false;
  #isFull = false;
  #speaksNewer = false;
  readonly #suspended = new Set<number>();
  readonly #cached = new Map<string, Answered>();

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
        rule: 'FLEET-7',
        what: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
    return {
      plan: this.#plan,
      violations: this.#violations,
      trace: this.#trace,
      sha256: createHash('sha256').update(this.#trace.join('\n')).digest('hex'),
      exchanges: this.#exchanges,
      actions: this.#actions,
      faults: this.#faults,
      coverage: this.#coverage,
      lasted: this.#now - began,
    };
  }

  async #begin(): Promise<void> {
    const { seed, people, guides, devices, old } = this.#plan;
    this.#accounts = await this.#world.server.begin(seed, this.#now, people, guides);
    const threads = this.#world.devices(devices.length);
    this.#members = devices.map(
      (person, index) => new Member(index, must(threads[index], 'a device'), person),
    );
    for (const member of this.#members) {
      await member.thread.begin(seed, member.index, this.#now, member.index === old);
      await this.#open(member);
      await this.#signIn(member, must(member.person, 'a person'));
      await this.#turn(member, { do: 'run', ms: 0 }, 5000);
    }
    this.#everybodyEqual();
  }

  #everybodyEqual(): void {
    const names = this.#members.map(({ person }) => (person === null ? null : this.#account(person).name));
    this.#ledger.everybodyEqual(names);
  }

  #say(what: string): void {
    this.#trace.push(what);
    if (process.env['LIVE']) process.stderr.write(`${Math.round((this.#now - began) / 1000)} ${what}\n`);
  }

  #count(counts: Map<string, number>, what: string): void {
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }

  /** `device`: null for a fault of all devices. */
  #countFault(device: number | null, fault: FaultKind): void {
    this.#count(this.#faults, fault);
    this.#coverage.noteFault(device, fault);
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
        await this.#turn(member, { do: 'run', ms: step.ms }, step.ms);
        return this.#watchSession(member);
      }
      case 'online':
        return this.#online(this.#member(step.device), step.on);
      case 'restart':
        return this.#restart(this.#member(step.device));
      case 'sign-out':
        return this.#signOut(this.#member(step.device));
      case 'sign-in':
        return this.#signIn(this.#member(step.device), step.person % this.#plan.people, step.other);
      case 'trap':
        this.#member(step.device).traps.push({ ...step.trap });
        return;
      case 'device-fault':
        return this.#deviceFault(this.#member(step.device), step.fault, step.picks);
      case 'server-fault':
        return this.#serverFault(step.fault, step.picks);
      case 'back-up':
        return this.#backUp();
      case 'rights':
        return this.#rights(step);
      case 'plain':
        return this.#plain(step);
      case 'time':
        this.#now += step.ms;
        this.#say(`${Math.round(step.ms / 60_000)} minutes pass`);
        return this.#hear(await this.#world.server.advance(this.#now));
      case 'quiet':
        return this.#rest(step === this.#plan.steps.at(-1));
    }
  }

  /** A wrong session is visible at its start: a quiet point starts new ones. */
  async #watchSession(member: Member): Promise<void> {
    if (!member.isOpen || member.suspended !== null) return;
    await this.#turn(member, { do: 'state' }, 0, (output) => {
      if (output.state === 'done' && (output.value as Seen).status === 'expired') this.#mustHaveEnded(member);
    });
  }

  #member(device: number): Member {
    return must(this.#members[device % this.#members.length], 'a device');
  }

  async #act({ device, doing, ms }: Extract<Step, { do: 'act' }>): Promise<void> {
    const member = this.#member(device);
    await this.#open(member);
    const person = member.person;
    if (person === null) return;
    // Actions of people take time.
    this.#now += 1000;
    if (await this.#try(member, person, doing, ms)) return;
    // If there is nothing to act on, the person does something else.
    const kind = must(insteads[(doing.picks[0] ?? 0) % insteads.length], 'another action');
    await this.#try(member, person, { ...doing, kind }, ms);
  }

  /** Whether there was something to act on. */
  async #try(member: Member, person: number, doing: Doing, ms: number): Promise<boolean> {
    const { name } = this.#account(person);
    const at = this.#now;
    let isDone = true;
    await this.#turn(member, { do: 'doing', doing }, ms, (output) => {
      if (output.state === 'failed')
        return this.#broke(`${doing.kind} (${doing.id}) of ${name}`, member, output);
      if (output.state === 'asks') return;
      const done = output.value as Done;
      isDone = done.what !== null || output.state === 'died';
      if (done.what === null) return;
      this.#count(this.#actions, doing.kind);
      this.#coverage.noteAction(member.index, doing.kind);
      const hasDied = output.state === 'died';
      this.#ledger.note(name, member.index, at, hasDied ? { ...done, refused: died } : done);
      const end = hasDied ? ' and died' : done.refused === null ? '' : ` (${done.refused})`;
      this.#say(`${doing.id} device ${member.index} ${name}: ${done.what}${end}`);
    });
    return isDone;
  }

  #broke(what: string, member: Member, { name, message }: Extract<Output, { state: 'failed' }>): void {
    this.#violations.push({
      rule: 'FLEET-7',
      what: `${what} on device ${member.index}: ${name}: ${message}`,
    });
  }

  async #open(member: Member): Promise<void> {
    await this.#finish(member);
    if (member.isOpen) return;
    member.isOpen = true;
    await this.#turn(member, { do: 'open' }, 100);
  }

  async #online(member: Member, on: boolean): Promise<void> {
    await this.#finish(member);
    if (member.isOnline === on) return;
    member.isOnline = on;
    this.#say(`device ${member.index} ${on ? 'online' : 'offline'}`);
    await this.#turn(member, { do: 'online', on }, 100);
  }

  async #restart(member: Member): Promise<void> {
    await this.#open(member);
    this.#say(`device ${member.index} restarted`);
    await this.#close(member);
    await this.#open(member);
  }

  async #close(member: Member): Promise<void> {
    await this.#finish(member);
    if (!member.isOpen) return;
    await this.#turn(member, { do: 'close' }, 0, (output) => {
      if (output.state === 'failed' && !isOfFullDisk(output)) this.#broke('close', member, output);
    });
    member.isOpen = false;
  }

  async #signIn(member: Member, person: number, other = false): Promise<void> {
    await this.#open(member);
    const { email, name } = this.#account(person);
    const server = other ? otherAddress : address;
    const secret = this.#passwords.get(person) ?? password;
    await this.#turn(member, { do: 'sign-in', server, email, password: secret }, 0, (output) => {
      this.#say(`device ${member.index} signs in ${name}: ${output.state}`);
      if (
        output.state === 'failed' &&
        !['Problem', 'UnprovedServer', 'JournalError', 'QuotaExceededError'].includes(output.name)
      )
        this.#broke('sign-in', member, output);
      if (output.state !== 'done') return;
      if (member.token !== member.issued) member.refused.delete('401');
      member.token = member.issued;
      member.person = person;
      member.people.add(person);
    });
  }

  async #signOut(member: Member): Promise<void> {
    await this.#open(member);
    if (member.person === null) return;
    this.#say(`device ${member.index} signs out`);
    await this.#turn(member, { do: 'sign-out' }, 0, (output) => {
      if (output.state === 'failed' && !isOfFullDisk(output)) this.#broke('sign-out', member, output);
    });
    member.person = null;
  }

  async #deviceFault(member: Member, fault: DeviceFault, picks: number[]): Promise<void> {
    const { index } = member;
    const store = hurtStore(fault);
    if (store !== null && member.hurt !== null && member.hurt !== store) return;
    if (store !== null) member.hurt = store;
    if (store === 'journal' || store === 'both') this.#forgiveDoubleLoss(member);
    this.#countFault(index, fault);
    this.#say(`device ${index}: ${fault}`);
    switch (fault) {
      case 'kill':
        return this.#kill(member);
      case 'offline':
        return this.#online(member, false);
      case 'sleep':
        await this.#turn(member, { do: 'sleep', ms: 60_000 * (1 + (picks[0] ?? 0)) }, 0);
        return;
      case 'lose-databases':
      case 'lose-journal':
      case 'flip-journal':
      case 'lose-both':
        this.#ledger.hurt.add(index);
        if ((picks[2] ?? 0) % 2 === 0) await this.#kill(member);
        else await this.#close(member);
        await this.#turn(member, { do: 'fault', fault, picks }, 0, (output) => {
          if (output.state === 'failed') this.#broke(fault, member, output);
        });
        return this.#open(member);
      default:
        this.#ledger.hurt.add(index);
        await this.#open(member);
        await this.#turn(member, { do: 'fault', fault, picks }, 0);
    }
  }

  /** Kills the app, possibly between a request and its response. */
  async #kill(member: Member): Promise<void> {
    this.#ledger.hurt.add(member.index);
    const { suspended } = member;
    member.suspended = null;
    const output = await member.thread.kill();
    // The outcome of the current action will not be known.
    if (suspended !== null) member.ended(output);
    member.isOpen = false;
    if (output.left.length > 0) await this.#world.server.leave(output.left);
  }

  async #serverFault(fault: ServerFault, picks: number[]): Promise<void> {
    const { server } = this.#world;
    const isRestore = fault === 'restore-files' || fault === 'restore-command';
    if (this.#isOther || (isRestore && this.#backup === null)) return;
    this.#countFault(null, fault);
    this.#say(`server: ${fault}`);
    switch (fault) {
      case 'restart':
        return this.#hear(await server.restart());
      case 'gone':
        this.#goneFor = 1 + ((picks[0] ?? 0) % 20);
        return;
      case 'disk-full':
        this.#isFull = true;
        return server.fill(true);
      case 'other-server':
        this.#isOther = true;
        return this.#hear(await server.swap());
      case 'newer-protocol':
        this.#speaksNewer = true;
        return this.#hear(await server.speak({ oldest: 7, newest: 8 }));
      case 'restore-files':
      case 'restore-command': {
        const { words, passwords } = must(this.#backup, 'a backup');
        await this.#mendServer();
        this.#hear(await server.restore(fault === 'restore-files' ? 'files' : 'command'));
        this.#ledger.noteRestore(words, this.#now);
        this.#ledger.forgetPlain(words);
        this.#ledger.forgetMarks(this.#now);
        this.#ledger.forgetSent(words, this.#now - sentLife);
        this.#wasRestored = true;
        for (const member of this.#members)
          if (member.hurt === 'journal' || member.hurt === 'both') this.#forgiveDoubleLoss(member);
        for (const person of this.#passwords.keys()) this.#passwords.delete(person);
        for (const [person, secret] of passwords) this.#passwords.set(person, secret);
      }
    }
  }

  /** Calls that the server lost are repeated only from the journal: if both are lost, nobody has them. */
  #forgiveDoubleLoss(member: Member): void {
    if (!this.#wasRestored) return;
    this.#ledger.forgiveDevice(member.index, 'lost by server and journal');
  }

  /** Ends the faults of the server. */
  async #mendServer(): Promise<void> {
    const { server } = this.#world;
    this.#goneFor = 0;
    if (this.#isOther) this.#hear(await server.swap());
    if (this.#isFull) await server.fill(false);
    if (this.#speaksNewer) this.#hear(await server.speak(protocolRange));
    this.#isOther = false;
    for (const member of this.#members) member.hearsOther = null;
    this.#isFull = false;
    this.#speaksNewer = false;
  }

  async #backUp(): Promise<void> {
    if (this.#isOther || this.#isFull) return;
    this.#say('back-up');
    await this.#world.server.backUp();
    const { documents, past, tags } = await this.#world.server.stored();
    const words = [...documents.map(({ body }) => body), ...past, ...tags].flatMap(wordsIn);
    this.#backup = { words: new Set(words), passwords: new Map(this.#passwords) };
  }

  /** A call by a person without a device, who signs in again after months without a call. */
  async #callAs(account: Account, method: string, path: string, body: object | null): Promise<Said> {
    const { server } = this.#world;
    const attempt = async (): Promise<Said> => {
      const { chunks, ...said } = await server.call(account.token, method, path, body, this.#now);
      this.#hear(chunks);
      return said;
    };
    const first = await attempt();
    if (first.status !== 401) return first;
    account.token = await server.newToken(account.userid);
    return attempt();
  }

  /** The administrator grants and removes rights. */
  async #rights({ change, picks, guide: number }: Extract<Step, { do: 'rights' }>): Promise<void> {
    if (this.#isOther || this.#isFull) return;
    const { server } = this.#world;
    const admin = must(this.#accounts[0], 'an administrator');
    const person = (picks[0] ?? 0) % this.#plan.people;
    const { userid, name } = this.#account(person);
    const call = async (
      method: string,
      path: string,
      body: object | null = method === 'PUT' ? {} : null,
    ): Promise<void> => void (await this.#callAs(admin, method, path, body));
    const { body } = await this.#callAs(admin, 'GET', '/guides?limit=200&includePrivate=true', null);
    const guides = body as { guideid: number; title: string; revisionid: number }[];
    const named = guides.find(({ guideid }) => guideid === number);
    const guide = named ?? guides[(picks[1] ?? 0) % Math.max(1, guides.length)];
    if (guide === undefined) return;
    const { guideid, revisionid } = guide;
    this.#countFault(null, change);
    this.#say(`rights: ${change} ${name} guide ${guideid}`);
    switch (change) {
      case 'guide-private':
        return call('DELETE', `/guides/${guideid}/public?revisionid=${revisionid}`);
      case 'guide-public':
        return call('PUT', `/guides/${guideid}/public?revisionid=${revisionid}`);
      case 'allow':
        return call('PUT', `/guides/${guideid}/users/${userid}`);
      case 'disallow':
        return call('DELETE', `/guides/${guideid}/users/${userid}`);
      case 'tag-guide':
        return call('PUT', `/guides/${guideid}/tag`, { tag: `tag ${picks[2]}` });
      case 'team-allow':
        return call('PUT', `/guides/${guideid}/teams/1`);
      case 'team-disallow':
        return call('DELETE', `/guides/${guideid}/teams/1`);
      case 'team-add':
        return call('PUT', `/teams/1/users/${userid}`);
      case 'team-remove':
        return call('DELETE', `/teams/1/users/${userid}`);
      case 'role-author':
        return this.#hear(await server.account(userid, { privileges: ['User', 'Author'] }));
      case 'role-user':
        return this.#hear(await server.account(userid, { privileges: ['User'] }));
      case 'role-admin':
        return this.#hear(await server.account(userid, { privileges: ['User', 'Author', 'Admin'] }));
      case 'suspend':
        this.#suspended.add(person);
        return this.#hear(await server.account(userid, { enabled: false }));
      case 'resume':
        this.#suspended.delete(person);
        return this.#hear(await server.account(userid, { enabled: true }));
      case 'password': {
        const secret = `another password ${picks[2]}`;
        this.#passwords.set(person, secret);
        return this.#hear(await server.account(userid, { password: secret }));
      }
      case 'end-tokens':
        return this.#hear(await server.endTokens(userid));
    }
  }

  /** Runs a command on a device; a suspended one finishes first. */
  async #turn(
    member: Member,
    command: Command,
    runsOn: number,
    then: (output: Output) => void = (output) => {
      if (output.state === 'failed')
        this.#violations.push({
          rule: 'FLEET-7',
          what: `${command.do} on device ${member.index}: ${output.name}: ${output.message}`,
        });
    },
  ): Promise<void> {
    await this.#finish(member);
    member.ended = then;
    const output = await member.thread.run(command, this.#now, member.inbox.splice(0), runsOn);
    await this.#follow(member, output);
  }

  /** Lets the suspended command finish. */
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
      if (output.state === 'died') {
        member.isOpen = false;
        this.#ledger.hurt.add(member.index);
        this.#say(`device ${member.index} died`);
      }
      if (output.state !== 'asks') break;
      const reply = await this.#answer(member, output.asked);
      if (reply === null) return;
      output = await member.thread.reply(reply, member.inbox.splice(0));
    }
    member.ended(output);
  }

  /** Decides about a request; null: the device is suspended. */
  async #answer(member: Member, asked: Asked): Promise<Reply | null> {
    if (this.#goneFor > 0) {
      this.#goneFor -= 1;
      return { kind: 'failed', after: latency };
    }
    const trap = this.#trapFor(member, asked);
    if (trap === null) return this.#exchange(member, asked);
    const { fault } = trap;
    this.#countFault(member.index, fault);
    this.#say(`device ${member.index} ${fault} ${asked.method} ${new URL(asked.url).pathname}`);
    return this.#faulty(member, asked, trap);
  }

  #trapFor(member: Member, asked: Asked): Trap | null {
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
      return trap;
    }
    return null;
  }

  async #faulty(member: Member, asked: Asked, { fault, ms = longestAnswer }: Trap): Promise<Reply | null> {
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
        const isFirst = member.hearsOther === null;
        const reply = await this.#exchange(member, asked);
        if (isFirst && member.hearsOther !== null) member.hearsOther = this.#now + ms;
        return reply.kind === 'silence' ? reply : { ...reply, after: ms };
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
      case 'half':
        return this.#half(member, asked);
      case 'stale': {
        const known = this.#cached.get(cacheKey(asked));
        if (known === undefined) return this.#exchange(member, asked);
        return { kind: 'answer', answer: known, after: latency };
      }
      case 'bare': {
        const reply = await this.#exchange(member, asked);
        return reply.kind === 'answer' ? { ...reply, answer: { ...reply.answer, headers: {} } } : reply;
      }
      case 'server-dies':
        return this.#exchange(member, asked, 1 + (asked.id % 3));
      case 'suspend-before':
        member.suspended = { asked, answer: null };
        return null;
      case 'suspend-after':
        member.suspended = { asked, answer: await this.#exchange(member, asked) };
        return null;
      default:
        return { kind: 'answer', answer: interference(fault), after: latency };
    }
  }

  /** Half of a request arrives: its response goes nowhere. */
  async #half(member: Member, asked: Asked): Promise<Reply> {
    const type = asked.headers['content-type'] ?? '';
    const { body } = asked;
    if (body !== null && (type.includes('json') || asked.method === 'PATCH'))
      await this.#exchange(member, { ...asked, body: body.slice(0, Math.floor(body.length / 2)) });
    return { kind: 'failed', after: latency };
  }

  /** The request reaches the server and is answered. `diesAfter`: the server crashes after this number of commits. */
  async #exchange(member: Member, asked: Asked, diesAfter?: number): Promise<Reply> {
    const token = asked.headers['authorization'];
    const person =
      token === undefined || member.person === null || this.#isOther
        ? null
        : this.#account(member.person).name;
    const terms = { person, ...(diesAfter === undefined ? {} : { diesAfter }) };
    const { answer, stream, chunks, leaks, died } = await this.#world.server.exchange(
      asked,
      this.#now,
      terms,
    );
    this.#exchanges.push(exchangeLine(member, asked, answer, chunks));
    for (const leak of leaks) {
      const [word = '', , name = ''] = leak.split(' ');
      if (this.#ledger.words.get(word)?.person !== name)
        this.#violations.push({
          rule: 'FLEET-5',
          what: `${asked.method} ${asked.url} told ${leak}, which they may not see`,
        });
    }
    if (stream !== null) this.#owners.set(stream, member);
    noteToken(member, asked, answer);
    // A refusal by another server ends no session.
    if (!this.#isOther) noteRefusals(member, asked, answer);
    // A server that replaces theirs unnoticed receives at most one request, and refuses it (account README,
    // ACCOUNT-10). Requests in progress at the first response count as one with it.
    const isWarned = this.#isOther && member.hearsOther !== null && this.#now >= member.hearsOther;
    member.hearsOther = this.#isOther ? (member.hearsOther ?? this.#now + latency) : null;
    if (isWarned)
      for (const word of wordsIn(textIn(asked.body)))
        this.#violations.push({
          rule: 'FLEET-5',
          what: `${asked.method} ${asked.url} told another server ${word}`,
        });
    this.#hear(chunks);
    if (died) return { kind: 'failed', after: latency };
    if (stream === null && asked.method === 'GET') this.#cached.set(cacheKey(asked), answer);
    if (stream === null) return { kind: 'answer', answer, after: latency };
    return { kind: 'stream', answer, stream, after: latency };
  }

  #hear(chunks: Chunk[]): void {
    for (const chunk of chunks) {
      const member = this.#owners.get(chunk.stream);
      if (member === undefined) continue;
      member.inbox.push(chunk);
      noteResults(member.refused, textIn(chunk.bytes));
    }
  }

  async #plain({ what, id, picks, guide: number }: Extract<Step, { do: 'plain' }>): Promise<void> {
    if (this.#isOther || this.#isFull) return;
    const account = must(this.#accounts[1], 'the plain client');
    const word = wordOf(id);
    const call = (method: string, path: string, body: object | null): Promise<Said> =>
      this.#callAs(account, method, path, body);
    if (what === 'guide') {
      const body = { category: 'Radio', type: 'repair', title: `Guide ${word}`, public: true };
      if ((await call('POST', '/guides', body)).status < 300)
        this.#ledger.notePlain(account.name, word, 'guide');
      this.#say(`${id} plain guide ${word}`);
      return;
    }
    const { body: list } = await call('GET', '/guides?limit=200', null);
    const guides = list as { guideid: number }[];
    const guideid = number ?? guides[(picks[0] ?? 0) % Math.max(1, guides.length)]?.guideid;
    if (guideid === undefined) return;
    this.#count(this.#actions, `plain ${what}`);
    if (what === 'comment') {
      await call('POST', `/comments/guide/${guideid}`, { text: `Comment ${word}` });
      this.#ledger.notePlain(account.name, word, 'comment');
    } else if (what === 'step') {
      // The only call that changes a step and leaves the revision of its guide.
      const { body } = await call('GET', `/guides/${guideid}`, null);
      // A deleted or invisible guide has none.
      const { steps = [] } = body as { steps?: { stepid: number; revisionid: number; title: string }[] };
      const step = steps[(picks[1] ?? 0) % Math.max(1, steps.length)];
      if (step === undefined) return;
      const path = `/guides/${guideid}/steps/${step.stepid}?revisionid=${step.revisionid}`;
      if ((await call('PATCH', path, { title: `Step ${word}` })).status >= 300) return;
      this.#ledger.notePlain(account.name, word, 'guide');
      for (const one of wordsIn(step.title)) this.#ledger.forgive(one, 'taken back');
    } else if (what === 'replace' || what === 'append') {
      const { body } = await call('GET', `/guides/${guideid}`, null);
      const { revisionid, summary } = body as { revisionid: number; summary: string };
      const next = what === 'replace' || summary.length > 120 ? word : `${summary} ${word}`.trim();
      const path = `/guides/${guideid}?revisionid=${revisionid}`;
      const { status } = await call('PATCH', path, { summary: next });
      if (status >= 300) return;
      this.#ledger.notePlain(account.name, word, 'guide');
      const left = new Set(wordsIn(next));
      for (const one of wordsIn(summary)) if (!left.has(one)) this.#ledger.forgive(one, 'taken back');
    }
    this.#say(`${id} plain ${what} ${word} on ${guideid}`);
  }

  /** Ends the faults; at the quiet point the state is checked. */
  async #rest(isLast: boolean): Promise<void> {
    this.#quiet = true;
    await this.#mendServer();
    for (const person of this.#suspended)
      this.#hear(await this.#world.server.account(this.#account(person).userid, { enabled: true }));
    this.#suspended.clear();
    for (const member of this.#members) {
      member.traps = [];
      await this.#open(member);
      await this.#turn(member, { do: 'mend' }, 0);
      await this.#turn(member, { do: 'wall', offset: 0 }, 0);
      await this.#online(member, true);
    }
    for (const asked of this.#late.splice(0)) {
      const { chunks } = await this.#world.server.exchange(asked, this.#now);
      this.#hear(chunks);
    }
    await this.#settle();
    await this.#judge(false);
    if (isLast) await this.#last();
    this.#everybodyEqual();
    this.#coverage.rest();
    this.#quiet = false;
  }

  /** At the very end everyone who ever used a device signs in there once more, and devices restart. */
  async #last(): Promise<void> {
    for (const member of this.#members)
      for (const person of member.people) {
        if (member.people.size < 2 || this.#violations.length > 0) continue;
        await this.#signIn(member, person);
        await this.#settle();
        await this.#judge(false);
      }
    for (const member of this.#members) await this.#restart(member);
    await this.#settle();
    await this.#judge(true);
  }

  /** Time passes until nothing moves; people whose sessions ended sign in again. */
  async #settle(): Promise<void> {
    const since = this.#now;
    let last = '';
    for (let equal = 0; equal < 2;) {
      await this.#together(20_000);
      const states = await this.#looks(true);
      for (const [index, { status }] of states.entries()) {
        const member = this.#member(index);
        if (status !== 'expired' || member.person === null) continue;
        this.#mustHaveEnded(member);
        await this.#signIn(member, member.person);
      }
      const text = JSON.stringify(states);
      const isIdle = states.every(
        ({ pending, blocked, phase, connection, status, trouble }) =>
          status === 'signed-out' ||
          (status === 'signed-in' &&
            pending <= blocked &&
            phase === 'idle' &&
            connection === 'online' &&
            trouble === null),
      );
      equal = isIdle && text === last ? equal + 1 : 0;
      last = text;
      if (this.#now - since > longestUnrest || this.#violations.length > 0) break;
    }
  }

  /** FLEET-4: an app asks for a sign-in only if the server has refused its session. */
  #mustHaveEnded(member: Member): void {
    if (member.refused.has('401')) return;
    const what = `device ${member.index} waits for a sign-in, and the server had never ended its session`;
    this.#violations.push({ rule: 'FLEET-4', what });
  }

  /** Checks the state. `withFiles`: also the files of the devices. */
  async #judge(withFiles: boolean): Promise<void> {
    const { server } = this.#world;
    const seen = await this.#looks(false);
    const stored = await server.stored();
    for (const [index, { isLossTold }] of seen.entries())
      if (isLossTold && this.#member(index).hurt === 'both')
        this.#ledger.forgiveDevice(index, 'lost, and told');
    const raw: string[][] = [];
    for (const member of this.#members) {
      const { person } = member;
      const words =
        // The old app left words in its files.
        !withFiles || person === null || member.people.size > 1 || member.index === this.#plan.old
          ? []
          : hiddenWords({ stored, ledger: this.#ledger }, this.#account(person).name);
      let found: string[] = [];
      if (words.length > 0)
        await this.#turn(member, { do: 'raw', words }, 0, (output) => {
          if (output.state === 'done') found = output.value as string[];
        });
      raw.push(found);
    }
    const absent = this.#members.map(
      ({ people, person }) =>
        new Set([...people].filter((one) => one !== person).map((one) => this.#account(one).name)),
    );
    const refused = this.#members.map((member) => member.refused);
    this.#violations.push(...judge({ ledger: this.#ledger, stored, seen, absent, raw, refused }));
    for (const flaw of await server.flaws())
      // A person who hides another person's guide no longer sees it, and so gets no replay either.
      if (!flaw.endsWith('a replay gives Problem: Guide not found'))
        this.#violations.push({ rule: 'FLEET-7', what: flaw });
    this.#say(`quiet ${createHash('sha256').update(JSON.stringify(seen)).digest('hex').slice(0, 16)}`);
  }

  /** Time passes for all devices together, as far as sequential execution allows. */
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
          this.#violations.push({
            rule: 'FLEET-7',
            what: `look at device ${member.index}: ${output.message}`,
          });
      });
    return seen;
  }
}

/** The store that a fault damages; null: neither. */
function hurtStore(fault: DeviceFault): Member['hurt'] {
  if (fault === 'lose-both') return 'both';
  if (fault === 'lose-journal' || fault === 'flip-journal') return 'journal';
  return fault === 'lose-databases' || fault === 'database-full' ? 'databases' : null;
}

function exchangeLine({ index }: Member, asked: Asked, answer: Answered, chunks: Chunk[]): string {
  const { method, url, headers, body } = asked;
  const sent = [method, url, headers, textIn(body)];
  const came = [answer.status, answer.headers, textIn(answer.body)];
  const heard = chunks.map(({ stream, bytes }) => [stream, textIn(bytes)]);
  const sha256 = createHash('sha256')
    .update(JSON.stringify([sent, came, heard]))
    .digest('hex');
  return `device ${index} ${method} ${new URL(url).pathname} ${answer.status} ${sha256}`;
}

function cacheKey({ url }: Asked): string {
  return new URL(url).pathname;
}

/** A full disk may refuse to store an action. */
function isOfFullDisk({ name }: { name: string }): boolean {
  return ['JournalError', 'QuotaExceededError'].includes(name);
}

function isStream(asked: Asked): boolean {
  return new URL(asked.url).pathname.endsWith('/events');
}

function textIn(bytes: Uint8Array | null): string {
  return bytes === null ? '' : new TextDecoder().decode(bytes);
}

/** Records the token of a sign-in. */
function noteToken(member: Member, { method, url }: Asked, { status, body }: Answered): void {
  if (method !== 'POST' || !url.endsWith('/user/token') || status >= 300) return;
  member.issued = (JSON.parse(textIn(body)) as { authToken: string }).authToken;
}

/** Records refusals in a response: of the session, of a whole request with all its calls, or of some of them. */
function noteRefusals({ refused, token, issued }: Member, asked: Asked, { status, body }: Answered): void {
  // A refusal of a session that another sign-in has followed does not concern the current one.
  const isOfBefore = ![token, issued].some((one) => asked.headers['authorization'] === `api ${one}`);
  if (status === 401 && !isOfBefore) refused.add('401');
  if (status >= 400) {
    const keys = [...textIn(asked.body).matchAll(/"id":"([^"]+)"/g)].map(([, key = '']) => key);
    for (const key of [asked.headers['idempotency-key'] ?? '', ...keys]) refused.add(`${key} ${status}`);
  }
  noteResults(refused, textIn(body));
}

/** Records the refused calls of a batch, from the lines of its response. */
function noteResults(refused: Set<string>, text: string): void {
  for (const [, key = '', status = ''] of text.matchAll(/"id":"([^"]+)","status":(4\d\d)/g)) {
    if (status === '401') refused.add('401');
    refused.add(`${key} ${status}`);
  }
}
