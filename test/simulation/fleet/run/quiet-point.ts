import { longestWait } from '#desktop/engine/platform/backoff.ts';
import { must } from '#shared/must.ts';

import type { Seen } from '../wire.ts';
import type { Administrator } from './administrator.ts';
import type { RunContext } from './context.ts';
import type { Inspection } from './inspection.ts';
import type { Member } from './member.ts';
import type { Network } from './network.ts';
import type { ServerFaults } from './server-faults.ts';
import type { StationDesk } from './station-desk.ts';
import type { StationOffice } from './station-office.ts';

/** Virtual ms within which everything must be at rest after the faults end. */
const longestUnrest = 3 * 60 * 60_000;

type Needs = Pick<RunContext, 'clock' | 'record' | 'ledger' | 'people'>;

/** The parts of a run that come to rest. */
interface Parts {
  members: readonly Member[];
  network: Network;
  serverFaults: ServerFaults;
  administrator: Administrator;
  inspection: Inspection;
  /** The station's people, and those who govern it; null: the plan has no station. */
  desk: StationDesk | null;
  office: StationOffice | null;
}

/** The quiet point: faults end, everyone waits until nothing moves, and the state is checked. */
export class QuietPoint {
  readonly #context: Needs;
  readonly #parts: Parts;

  constructor(context: Needs, parts: Parts) {
    this.#context = context;
    this.#parts = parts;
  }

  /** `isLast`: no step follows. */
  async rest(isLast: boolean): Promise<void> {
    await this.#endFaults();
    await this.#settle();
    await this.#parts.inspection.judge(false);
    if (isLast) await this.#last();
    this.everybodyEqual();
    this.#parts.desk?.rested();
    this.#context.record.coverage.rest();
  }

  /** All devices show the same. */
  everybodyEqual(): void {
    const { ledger, people } = this.#context;
    ledger.everybodyEqual(
      this.#parts.members.map(({ person }) => (person === null ? null : people.name(person))),
    );
  }

  async #endFaults(): Promise<void> {
    const { members, network, serverFaults, administrator } = this.#parts;
    await serverFaults.mend();
    await administrator.resumeAll();
    for (const member of members) {
      member.connection.traps = [];
      await member.open();
      await member.turn({ do: 'mend' }, 0);
      await member.turn({ do: 'wall', offset: 0 }, 0);
      await member.setOnline(true);
    }
    await network.deliverLate();
  }

  /** At the very end everyone who ever used a device signs in there once more, and devices restart. */
  async #last(): Promise<void> {
    const { members, inspection } = this.#parts;
    for (const member of members)
      for (const person of member.people) {
        if (member.people.size < 2 || this.#context.record.violations.length > 0) continue;
        await member.signIn(person);
        await this.#settle();
        await inspection.judge(false);
      }
    for (const member of members) await member.restart();
    await this.#settle();
    await inspection.judge(true);
    await this.#acceptAll();
  }

  /** FLEET-10: what a lead accepts arrives. */
  async #acceptAll(): Promise<void> {
    const { inspection, desk, office } = this.#parts;
    if (desk === null || office === null || !(await office.acceptAll())) return;
    // A call that waits for a lead is tried again at the latest after this.
    await this.#together(longestWait);
    await this.#settle();
    await inspection.judge(false);
    await desk.member.turn({ do: 'state' }, 0, (output) => {
      const { station } = output.state === 'done' ? (output.value as Seen) : {};
      for (const { person, needLead } of station?.waiting ?? [])
        if (needLead > 0)
          this.#context.record.broke(
            'FLEET-10',
            `${needLead} calls of ${person} wait, and a lead accepted them`,
          );
    });
  }

  /** Time passes until nothing moves; people whose sessions ended sign in again. */
  async #settle(): Promise<void> {
    const { clock, record } = this.#context;
    const { members, inspection } = this.#parts;
    const since = clock.now;
    let last = '';
    for (let equal = 0; equal < 2;) {
      await this.#together(20_000);
      const states = await inspection.looks(true);
      for (const [index, { status }] of states.entries()) {
        const member = must(members[index], 'a device');
        if (status !== 'expired') continue;
        if (member.person !== null || member === this.#parts.desk?.member) member.mustHaveEnded();
        if (member === this.#parts.desk?.member) await this.#parts.office?.enrol();
        else if (member.person !== null) await member.signIn(member.person);
      }
      const text = JSON.stringify(states);
      equal = states.every(isIdle) && text === last ? equal + 1 : 0;
      last = text;
      if (clock.now - since > longestUnrest || record.violations.length > 0) break;
    }
  }

  /** Time passes for all devices together, as far as sequential execution allows. */
  async #together(ms: number): Promise<void> {
    const { clock } = this.#context;
    const began = clock.now;
    for (const member of this.#parts.members) {
      clock.returnTo(began);
      await member.turn({ do: 'run', ms: 0 }, ms);
    }
    clock.passTo(began + ms);
  }
}

/** Whether a device waits for nothing but a person. */
function isIdle({ pending, blocked, phase, connection, status, trouble }: Seen): boolean {
  return (
    status === 'signed-out' ||
    (status === 'signed-in' &&
      pending <= blocked &&
      phase === 'idle' &&
      connection === 'online' &&
      trouble === null)
  );
}
