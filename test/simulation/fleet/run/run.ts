import { must } from '#shared/must.ts';

import type { Done } from '../doings/done.ts';
import type { FleetWorld } from '../fleet-world.ts';
import { died, Ledger } from '../ledger.ts';
import type { Doing, Plan, Step } from '../plan.ts';
import type { Command } from '../wire.ts';
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
import { StationDesk } from './station-desk.ts';
import { StationKeys } from './station-keys.ts';
import { StationOffice } from './station-office.ts';

/** Actions that nearly always find something to act on. */
const insteads = ['save-guide', 'comment', 'page-save', 'start-order'] as const;
const insteadsAtStation = ['comment', 'start-order'] as const;

/** Plays a plan; one device runs at a time, and only virtual clocks are used. */
export class Run {
  readonly #plan: Plan;
  readonly #context: RunContext;
  readonly #members: Member[] = [];
  readonly #network: Network;
  readonly #serverFaults: ServerFaults;
  readonly #deviceFaults: DeviceFaults;
  readonly #administrator: Administrator;
  readonly #plainClient: PlainClient;
  readonly #quietPoint: QuietPoint;
  readonly #desk: StationDesk | null;
  readonly #office: StationOffice | null;

  constructor(world: FleetWorld, plan: Plan) {
    const context = contextOf(world, plan);
    const losses = new Losses(context.ledger);
    const keys = new StationKeys();
    const serverFaults = new ServerFaults(context, losses, keys);
    const client = new ApiClient(context);
    this.#plan = plan;
    this.#context = context;
    this.#network = new Network(context, new Exchanges(context, serverFaults), serverFaults);
    this.#serverFaults = serverFaults;
    this.#deviceFaults = new DeviceFaults(context, losses);
    this.#administrator = new Administrator(context, client, serverFaults);
    this.#plainClient = new PlainClient(context, client, serverFaults);
    const { devices, old } = plan;
    const people = plan.station === true ? [...devices, null] : devices;
    for (const [index, thread] of world.devices(people.length).entries()) {
      const member = new Member(index, thread, people[index] ?? null, this.#network, context);
      this.#members.push(member);
      context.connections.add(member.connection);
    }
    const last = plan.station === true ? this.#members.at(-1) : undefined;
    const desk = last === undefined ? null : new StationDesk(context, last, keys);
    const office = desk === null ? null : new StationOffice(context, { client, serverFaults, desk, keys });
    this.#desk = desk;
    this.#office = office;
    this.#quietPoint = new QuietPoint(context, {
      members: this.#members,
      network: this.#network,
      serverFaults,
      administrator: this.#administrator,
      inspection: new Inspection(context, this.#members, losses, { old, desk }),
      desk,
      office,
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
    const { seed, guides, old, line = false } = this.#plan;
    const { server, clock, people } = this.#context;
    people.begin(await server.begin(seed, clock.now, people.count, { guides, hasLine: line }));
    for (const member of this.#members) {
      await member.begin(seed, member.index === old);
      await member.open();
      if (member === this.#desk?.member) await this.#office?.begin();
      else await member.signIn(must(member.person, 'a person'));
      await member.turn({ do: 'run', ms: 0 }, 5000);
    }
    this.#quietPoint.everybodyEqual();
    this.#desk?.rested();
  }

  async #step(step: Step): Promise<void> {
    const { server, clock, record, people, connections } = this.#context;
    switch (step.do) {
      case 'act':
        return this.#act(step);
      case 'run': {
        const member = this.#member(step.device);
        await member.turn({ do: 'run', ms: step.ms }, step.ms);
        if (member === this.#desk?.member) await this.#desk.watch();
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
      case 'station':
        return this.#desk?.perform(step);
      case 'office':
        return this.#office?.perform(step);
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

  async #act({ device, doing, ms, next }: Extract<Step, { do: 'act' }>): Promise<void> {
    const member = this.#member(device);
    await member.open();
    // Who is at the station shows only there: it may have locked.
    if (member === this.#desk?.member) await this.#desk.watch();
    const { person } = member;
    if (person === null) return;
    // Actions of people take time.
    this.#context.clock.pass(1000);
    const atStation = member === this.#desk?.member;
    if (await this.#try(member, person, { doing, ms, next })) return;
    // If there is nothing to act on, the person does something else.
    const others = atStation ? insteadsAtStation : insteads;
    const kind = must(others[(doing.picks[0] ?? 0) % others.length], 'another action');
    await this.#try(member, person, { doing: { ...doing, kind }, ms, next });
  }

  /** Whether there was something to act on. */
  async #try(
    member: Member,
    person: number,
    { doing, ms, next }: { doing: Doing; ms: number; next: number | null | undefined },
  ): Promise<boolean> {
    const { clock, record, ledger, people } = this.#context;
    const name = people.name(person);
    const at = clock.now;
    let isDone = true;
    const desk = member === this.#desk?.member ? this.#desk : null;
    desk?.touched();
    const command: Command =
      desk === null ? { do: 'doing', doing } : { do: 'doing-at-station', doing, ...desk.meanwhile(next) };
    await member.turn(command, ms, (output) => {
      if (output.state === 'failed') return member.broke(`${doing.kind} (${doing.id}) of ${name}`, output);
      if (output.state === 'asks') return;
      const done = output.value as Done;
      isDone = done.what !== null || output.state === 'died';
      if (done.what === null) return;
      record.countAction(member.index, doing.kind);
      const hasDied = output.state === 'died';
      desk?.acted(doing, done, hasDied ? undefined : next);
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
