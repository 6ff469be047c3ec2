import type { StationProof, StationSignInResult } from '#desktop/engine/api/station-records.ts';

import type { Done } from '../doings/done.ts';
import type { DeviceFault, Doing, StationDoing, Step } from '../plan.ts';
import { address, stationIdle, stationName } from '../server-names.ts';
import { textIn, type Asked, type Output, type Reply, type Seen } from '../wire.ts';
import type { RunContext } from './context.ts';
import { latency } from './exchanges.ts';
import type { Member } from './member.ts';
import type { KeysOfAll, StationKeys } from './station-keys.ts';
import { StationTries } from './station-tries.ts';

/** What the station knows of who signs in there: by number of the person. */
interface Known {
  people: ReadonlySet<number>;
  keys: KeysOfAll;
}

/** A proof, and whether it is right by what the station knows. */
interface Shown {
  proof: StationProof;
  /** Who was named; null: nobody. */
  named: number | null;
  isRight(known: Known): boolean;
  /** Whose it is. */
  person: number;
}

const path = '/api/2.0/stations/self';

/** Faults after which the station may not know its wrong tries. */
const uncounted: ReadonlySet<DeviceFault> = new Set([
  'journal-full',
  'lose-journal',
  'flip-journal',
  'lose-both',
  'clock-jump',
  'clock-back',
]);

/** The people at the station, and what its app must make of what they show. */
export class StationDesk {
  readonly member: Member;
  readonly #tries = new StationTries();
  readonly #context: RunContext;
  readonly #keys: StationKeys;
  /** What the station may know now: one of these. Null: anything. */
  #known: Known[] | null = null;
  /** What it has heard last, and when, virtual ms; it may not have read it. */
  #heard: { known: Known; at: number } | null = null;
  /** What it may have known since everything was at rest. */
  #recent: Known[] | null = null;
  /** By what the person there signed in. */
  #shown: Shown | null = null;
  /** When somebody touched it, virtual ms. */
  #touchedAt = 0;

  constructor(context: RunContext, member: Member, keys: StationKeys) {
    this.#context = context;
    this.member = member;
    this.#keys = keys;
    member.connection.reader = stationName;
    member.connection.onReply = (asked, reply) => this.#hear(asked, reply);
    member.connection.onDeath = () => this.#died();
    member.connection.onOffline = () => this.#hearAllThatArrived();
    // A journal that was full or damaged may have lost the count; a wait may look longer by another clock.
    member.connection.onFault = (fault) => uncounted.has(fault) && this.#tries.lose();
  }

  /** The device enrols with a code. */
  async enrol(code: string): Promise<void> {
    const { record } = this.#context;
    await this.member.open();
    await this.member.turn({ do: 'enrol', server: address, code }, 1000, (output) => {
      record.say(`the station enrols: ${output.state}`);
      if (
        output.state === 'failed' &&
        !['Problem', 'JournalError', 'QuotaExceededError'].includes(output.name)
      )
        this.member.broke('enrol', output);
      // Which code reached the server, and whether its answer was stored, shows later.
      this.#known = null;
      this.#heard = null;
      if (output.state !== 'done') return this.#tries.lose();
      this.member.connection.notes.signedIn();
      this.#tries.reset();
    });
  }

  /** Everything is at rest: the station knows what it heard last. */
  rested(): void {
    if (this.#heard !== null) this.#known = [this.#heard.known];
    this.#heard = null;
    this.#recent = this.#known;
  }

  /** The app died: what it heard may not be stored. */
  #died(): void {
    this.#known = this.#recent;
    this.#heard = null;
  }

  async perform({ what, person }: Extract<Step, { do: 'station' }>): Promise<void> {
    const { record, people } = this.#context;
    await this.member.open();
    if (what === 'lock') {
      record.say('the station is locked');
      return this.member.turn({ do: 'lock-station' }, 0, (output) => {
        if (output.state === 'failed') this.member.broke('lock', output);
        this.member.connection.person = null;
      });
    }
    await this.#run();
    const shown = this.#shownBy(what, person % people.count);
    await this.member.turn({ do: 'show-at-station', proof: shown.proof }, 0, (output) =>
      this.#signedIn(what, shown, output),
    );
  }

  /** What happens while somebody acts: `next` shows a badge; null: the station is locked. */
  meanwhile(next: number | null | undefined): { next?: StationProof | null } {
    if (next === undefined) return {};
    if (next === null) return { next };
    return { next: this.#shownBy('badge', next % this.#context.people.count).proof };
  }

  /** Somebody acted, while `next` signed in; null: while the station was locked. The action may have ended their session. */
  acted({ kind }: Doing, done: Done, next: number | null | undefined): void {
    const { connection } = this.member;
    // What was not taken back stays.
    if (done.refused !== null) done.takenBack = [];
    if (kind === 'leave-station' && done.refused === null) connection.person = null;
    if (next === undefined) return;
    if (done.refused?.includes('Sign in at this station first') === true)
      this.#context.record.broke(
        'FLEET-10',
        `${kind} of before the station locked is refused: ${done.refused}`,
      );
    connection.person = next === null ? null : next % this.#context.people.count;
    if (connection.person === null) return;
    this.#shown = this.#shownBy('badge', connection.person);
    // Whether the badge was right shows when the station is looked at.
    this.#tries.noteUnknown(null);
    this.touched();
  }

  touched(): void {
    this.#touchedAt = this.#context.clock.now;
  }

  /** FLEET-10: who is signed in is whoever showed a badge or PIN last, as long as it is valid and nobody is away. */
  async watch(): Promise<void> {
    if (this.member.connection.suspended !== null) return;
    await this.#run();
    await this.member.turn({ do: 'state' }, 0, (output) => {
      if (output.state === 'done') this.check(output.value as Seen);
    });
  }

  check({ station }: Seen): void {
    if (station === undefined) return;
    const { record, people, clock } = this.#context;
    const { person } = this.member;
    const { present } = station;
    if (present === null) {
      this.member.connection.person = null;
    } else if (person === null || people.name(person) !== present) {
      const expected = person === null ? 'nobody' : people.name(person);
      record.broke('FLEET-10', `the station says that ${present} is signed in, and ${expected} is`);
    } else if (clock.now > this.#touchedAt + stationIdle * 1000 + 1000) {
      record.broke(
        'FLEET-10',
        `the station is not locked ${clock.now - this.#touchedAt} ms after the last touch`,
      );
    } else if (this.#known?.every((known) => this.#shown?.isRight(known) === false) === true) {
      record.broke('FLEET-10', `${present} is signed in by what the station knows to be wrong`);
    }
    const flaw = this.#tries.flawOf(station.failedTries);
    if (flaw !== null) record.broke('FLEET-10', `the station ${flaw}`);
  }

  #shownBy(what: Exclude<StationDoing, 'lock'>, person: number): Shown {
    const { people } = this.#context;
    const { userid } = people.account(person);
    const byBadge = (number: string | null): Shown => ({
      proof: { badge: number ?? 'nobody has this' },
      named: null,
      isRight: ({ people: all, keys }) =>
        number !== null && all.has(person) && keys.get(person)?.badge?.number === number,
      person,
    });
    const byPin = (pin: string | null): Shown => ({
      proof: { userid, pin: pin ?? '271828' },
      named: person,
      isRight: ({ people: all, keys }) => pin !== null && all.has(person) && keys.get(person)?.pin === pin,
      person,
    });
    switch (what) {
      case 'badge':
        return byBadge(this.#keys.of(person).badge?.number ?? null);
      case 'former-badge':
        return byBadge(this.#keys.formerBadge(person));
      case 'unknown-badge':
        return byBadge(null);
      case 'pin':
        return byPin(this.#keys.of(person).pin);
      case 'former-pin':
        return byPin(this.#keys.formerPin(person));
      case 'wrong-pin':
        return byPin(null);
    }
  }

  #signedIn(what: StationDoing, shown: Shown, output: Output): void {
    const { record, people, clock } = this.#context;
    const { named, person } = shown;
    const name = people.name(person);
    const at = clock.now;
    if (output.state === 'died' || output.state === 'asks') return this.#tries.noteUnknown(named);
    if (output.state === 'failed') {
      record.say(`${name} at the station, ${what}: ${output.name}`);
      if (!isRefusal(output)) this.member.broke(`sign-in at the station`, output);
      return;
    }
    const { result } = output.value as StationSignInResult;
    record.say(`${name} at the station, ${what}: ${result}`);
    const waits = this.#tries.mustWait(named, at);
    if ((result === 'early') !== (waits === 'yes') && waits !== 'maybe')
      record.broke(
        'FLEET-10',
        `${what} of ${name}: ${result}, and a wait is ${waits === 'yes' ? '' : 'not '}due`,
      );
    if (result === 'early') return;
    const rights = new Set(this.#known?.map((known) => shown.isRight(known)) ?? [true, false]);
    if (!rights.has(result === 'signed-in'))
      record.broke('FLEET-10', `${what} of ${name}: ${result}, and the station knows better`);
    if (result !== 'signed-in') return this.#tries.noteWrong(named, this.#knows(person), at);
    this.#tries.noteRight(named);
    this.#shown = shown;
    this.member.connection.person = person;
    this.touched();
  }

  /** Whether the station knows a person; null: perhaps. */
  #knows(person: number): boolean | null {
    const answers = new Set(this.#known?.map(({ people }) => people.has(person)) ?? []);
    return answers.size === 1 ? answers.has(true) : null;
  }

  /** Lets timers of the station run, so that it reads what has arrived. */
  async #run(): Promise<void> {
    await this.member.turn({ do: 'run', ms: 0 }, 0);
    this.#takeHeard();
  }

  /** What it heard a second ago has arrived. */
  #takeHeard(): void {
    if (this.#heard === null || this.#context.clock.now < this.#heard.at + 1000) return;
    this.#known = [this.#heard.known];
    this.#heard = null;
  }

  /** The station goes offline: whether it still gets what is on its way is not certain. */
  #hearAllThatArrived(): void {
    this.#takeHeard();
    this.#heard = null;
  }

  /** The station hears from the server who signs in there. */
  #hear(asked: Asked, reply: Reply): void {
    if (asked.method !== 'GET' || new URL(asked.url).pathname !== path) return;
    if (reply.kind === 'failed' || reply.kind === 'silence' || reply.kind === 'stream') return;
    const { status, headers, body } = reply.answer;
    if (status !== 200) return;
    const known = this.#knownBy(textIn(body));
    // It may be as old as its cache, or come too late.
    const isNow = Math.abs(Date.parse(headers['date'] ?? '') - this.#context.clock.now) < 5000;
    if (known === null || !isNow) {
      this.#known = null;
      this.#heard = null;
      this.#recent = null;
      return;
    }
    const isSure = reply.kind === 'answer' && reply.after <= latency && isOfServer(headers);
    this.#recent = this.#recent === null ? null : [...this.#recent, known];
    this.#known = this.#known === null ? null : [...this.#known, known];
    this.#heard = isSure ? { known, at: this.#context.clock.now } : null;
  }

  #knownBy(text: string): Known | null {
    const { people } = this.#context;
    const ids = /"userid":(\d+),"accountid"/g;
    if (!text.startsWith('{"stationid"')) return null;
    const found = new Set([...text.matchAll(ids)].map(([, id]) => Number(id)));
    const numbers = Array.from({ length: people.count }, (_, person) => person);
    return {
      people: new Set(numbers.filter((person) => found.has(people.account(person).userid))),
      keys: this.#keys.now,
    };
  }
}

/** A refusal of the app with a message. */
function isRefusal({ name }: { name: string }): boolean {
  return ['Problem', 'JournalError', 'QuotaExceededError'].includes(name);
}

function isOfServer(headers: Record<string, string>): boolean {
  return Object.keys(headers).length > 0;
}
