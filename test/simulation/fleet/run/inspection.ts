import { createHash } from 'node:crypto';

import { hiddenWords } from '../oracle/hidden-words.ts';
import { judge } from '../oracle/judge.ts';
import type { Stored } from '../server-stored.ts';
import type { Seen } from '../wire.ts';
import type { RunContext } from './context.ts';
import type { Losses } from './losses.ts';
import type { Member } from './member.ts';
import type { StationDesk } from './station-desk.ts';

type Needs = Pick<RunContext, 'server' | 'record' | 'ledger' | 'people' | 'clock'>;

/** Looks at every device and at the server, and checks what is there. */
export class Inspection {
  readonly #context: Needs;
  readonly #members: readonly Member[];
  readonly #losses: Losses;
  /** The device with the old app. */
  readonly #old: number | undefined;
  /** The people at the station. */
  readonly #desk: StationDesk | null;

  constructor(
    context: Needs,
    members: readonly Member[],
    losses: Losses,
    { old, desk }: { old: number | undefined; desk: StationDesk | null },
  ) {
    this.#context = context;
    this.#members = members;
    this.#losses = losses;
    this.#old = old;
    this.#desk = desk;
  }

  /** What every device shows. `isShort`: only the status line. */
  async looks(isShort: boolean): Promise<Seen[]> {
    const { record } = this.#context;
    const seen: Seen[] = [];
    for (const member of this.#members)
      await member.turn({ do: isShort ? 'state' : 'look' }, 0, (output) => {
        if (output.state === 'done') seen.push(output.value as Seen);
        else if (output.state === 'failed')
          record.broke('FLEET-7', `look at device ${member.index}: ${output.message}`);
      });
    return seen;
  }

  /** Checks the state. `withFiles`: also the files of the devices. */
  async judge(withFiles: boolean): Promise<void> {
    const { server, record, ledger, people, clock } = this.#context;
    const seen = await this.looks(false);
    const station = this.#desk?.member.index;
    const atDesk = station === undefined ? undefined : seen[station];
    if (atDesk !== undefined) this.#desk?.check(atDesk);
    const stored = await server.stored();
    for (const [index, { isLossTold }] of seen.entries())
      if (isLossTold && this.#losses.hasBoth(index)) ledger.forgiveDevice(index, 'lost, and told');
    const raw: string[][] = [];
    for (const member of this.#members) raw.push(withFiles ? await this.#wordsInFiles(member, stored) : []);
    const absent = this.#members.map((member) => {
      const others = [...member.people].filter((one) => one !== member.person);
      return new Set(others.map((one) => people.name(one)));
    });
    const refused = this.#members.map(({ connection }) => connection.notes.refused);
    record.violations.push(
      ...judge({ ledger, stored, seen, old: this.#old, station, now: clock.now, absent, raw, refused }),
    );
    for (const flaw of await server.flaws()) if (!isReplayOfHidden(flaw)) record.broke('FLEET-7', flaw);
    record.say(`quiet ${createHash('sha256').update(JSON.stringify(seen)).digest('hex').slice(0, 16)}`);
  }

  /** Words in the files of a device that its only person may not see. */
  async #wordsInFiles(member: Member, stored: Stored): Promise<string[]> {
    const { ledger, people } = this.#context;
    const { person, index, connection } = member;
    // The old app left words in its files.
    if (member.people.size > 1 || index === this.#old) return [];
    const reader = connection.reader ?? (person === null ? null : people.name(person));
    if (reader === null) return [];
    const words = hiddenWords({ stored, ledger, station: this.#desk?.member.index }, reader);
    let found: string[] = [];
    if (words.length > 0)
      await member.turn({ do: 'raw', words }, 0, (output) => {
        if (output.state === 'done') found = output.value as string[];
      });
    return found;
  }
}

/**
 * Whether a replay differs because the caller may no longer see what the call was about: somebody hid another person's
 * guide, or a station sent the end of an order more than 30 days after it (STATION-10).
 */
function isReplayOfHidden(flaw: string): boolean {
  return (
    flaw.endsWith('a replay gives Problem: Guide not found') ||
    (/^POST \/work_log\/\{entryid\}\/(finish|cancel) .*"stations":\[/.test(flaw) &&
      flaw.endsWith('a replay gives Problem: Work log entry not found'))
  );
}
