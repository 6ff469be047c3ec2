import { must } from '#shared/must.ts';

import type { Done } from '../doings/done.ts';
import type { FleetWorld } from '../fleet-world.ts';
import { died, Ledger } from '../ledger.ts';
import type { Doing, Plan, Step } from '../plan.ts';
import { Administrator } from './administrator.ts';
import { ApiClient } from './api-client.ts';
import { Clock } from './clock.ts';
import { Connections } from './connections.ts';
import type { RunContext } from './context.ts';
import { DeviceFaults } from './device-faults.ts';
import { Exchanges } from './exchanges.ts';
import { Inspection } from './inspection.ts';
import { Losses } from './losses.ts';
import { Member } from './member.ts';
import { Network } from './network.ts';
import { People } from './people.ts';
import { PlainClient } from './plain-client.ts';
import { QuietPoint } from './quiet-point.ts';
import { RunRecord, type Result } from './record.ts';
import { ServerFaults } from './server-faults.ts';

/** Actions that nearly always find something to act on. */
const insteads = ['save-guide', 'comment', 'page-save', 'start-order'] as const;

/** Plays a plan; one device runs at a time, and only virtual clocks are used. */
export class Run {
  readonly #world: FleetWorld;
  readonly #plan: Plan;
  readonly #context: RunContext;
  readonly #members: Member[] = [];
  readonly #network: Network;
  readonly #serverFaults: ServerFaults;
  readonly #deviceFaults: DeviceFaults;
  readonly #administrator: Administrator;
  readonly #plainClient: PlainClient;
  readonly #quietPoint: QuietPoint;

  constructor(world: FleetWorld, plan: Plan) {
    const context = contextOf(world, plan);
    const losses = new Losses(context.ledger);
    const serverFaults = new ServerFaults(context, losses);
    const client = new ApiClient(context);
    this.#world = world;
    this.#plan = plan;
    this.#context = context;
    this.#network = new Network(context, new Exchanges(context, serverFaults), serverFaults);
    this.#serverFaults = serverFaults;
    this.#deviceFaults = new DeviceFaults(context, losses);
    this.#administrator = new Administrator(context, client, serverFaults);
    this.#plainClient = new PlainClient(context, client, serverFaults);
    this.#quietPoint = new QuietPoint(context, {
      members: this.#members,
      network: this.#network,
      serverFaults,
      administrator: this.#administrator,
      inspection: new Inspection(context, this.#members, losses, plan.old),
    });
  }

  async play(): Promise<Result> {
    const { record } = this.#context;
    try {
      await this.#begin();
      for (const step of this.#plan.steps) {
        await this.#step(step);
        if (record.violations.length > 0) break;
      }
    } catch (error) {
      record.broke('FLEET-7', error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
    return record.result(this.#plan);
  }

  async #begin(): Promise<void> {
    const { seed, guides, devices, old, line = false } = this.#plan;
    const { server, clock, people, connections } = this.#context;
    people.begin(await server.begin(seed, clock.now, people.count, { guides, hasLine: line }));
    const threads = this.#world.devices(devices.length);
    for (const [index, person] of devices.entries()) {
      const thread = must(threads[index], 'a device');
      const member = new Member(index, thread, person, this.#network, this.#context);
      this.#members.push(member);
      connections.add(member.connection);
    }
    for (const member of this.#members) {
      await member.begin(seed, member.index === old);
      await member.open();
      await member.signIn(must(member.person, 'a person'));
      await member.turn({ do: 'run', ms: 0 }, 5000);
    }
    this.#quietPoint.everybodyEqual();
  }

  async #step(step: Step): Promise<void> {
    const { server, clock, record, people, connections } = this.#context;
    switch (step.do) {
      case 'act':
        return this.#act(step);
      case 'run': {
        const member = this.#member(step.device);
        await member.turn({ do: 'run', ms: step.ms }, step.ms);
        return member.watchSession();
      }
      case 'online':
        return this.#member(step.device).setOnline(step.on);
      case 'restart':
        return this.#member(step.device).restart();
      case 'sign-out':
        return this.#member(step.device).signOut();
      case 'sign-in':
        return this.#member(step.device).signIn(step.person % people.count, step.other);
      case 'trap':
        this.#member(step.device).connection.traps.push({ ...step.trap });
        return;
      case 'device-fault':
        return this.#deviceFaults.apply(this.#member(step.device), step.fault, step.picks);
      case 'server-fault':
        return this.#serverFaults.apply(step.fault, step.picks);
      case 'back-up':
        return this.#serverFaults.backUp();
      case 'rights':
        return this.#administrator.change(step);
      case 'plain':
        return this.#plainClient.perform(step);
      case 'time':
        clock.pass(step.ms);
        record.say(`${Math.round(step.ms / 60_000)} minutes pass`);
        return connections.hear(await server.advance(clock.now));
      case 'quiet':
        return this.#quietPoint.rest(step === this.#plan.steps.at(-1));
    }
  }

  #member(device: number): Member {
    return must(this.#members[device % this.#members.length], 'a device');
  }

  async #act({ device, doing, ms }: Extract<Step, { do: 'act' }>): Promise<void> {
    const member = this.#member(device);
    await member.open();
    const { person } = member;
    if (person === null) return;
    // Actions of people take time.
    this.#context.clock.pass(1000);
    if (await this.#try(member, person, doing, ms)) return;
    // If there is nothing to act on, the person does something else.
    const kind = must(insteads[(doing.picks[0] ?? 0) % insteads.length], 'another action');
    await this.#try(member, person, { ...doing, kind }, ms);
  }

  /** Whether there was something to act on. */
  async #try(member: Member, person: number, doing: Doing, ms: number): Promise<boolean> {
    const { clock, record, ledger, people } = this.#context;
    const name = people.name(person);
    const at = clock.now;
    let isDone = true;
    await member.turn({ do: 'doing', doing }, ms, (output) => {
      if (output.state === 'failed') return member.broke(`${doing.kind} (${doing.id}) of ${name}`, output);
      if (output.state === 'asks') return;
      const done = output.value as Done;
      isDone = done.what !== null || output.state === 'died';
      if (done.what === null) return;
      record.countAction(member.index, doing.kind);
      const hasDied = output.state === 'died';
      ledger.note(name, member.index, at, hasDied ? { ...done, refused: died } : done);
      const end = hasDied ? ' and died' : done.refused === null ? '' : ` (${done.refused})`;
      record.say(`${doing.id} device ${member.index} ${name}: ${done.what}${end}`);
    });
    return isDone;
  }
}

function contextOf({ server }: FleetWorld, { people }: Plan): RunContext {
  const clock = new Clock();
  return {
    server,
    clock,
    record: new RunRecord(clock),
    ledger: new Ledger(),
    people: new People(people),
    connections: new Connections(),
  };
}
