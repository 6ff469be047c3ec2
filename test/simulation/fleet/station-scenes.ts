import { lead, pick } from './order-stage.ts';
import type { OfficeDoing, StationDoing, Step } from './plan.ts';
import type { Stage } from './stage.ts';
import { readingScenes } from './station-reading-scenes.ts';
import { contact, leave, shiftAt } from './station-stage.ts';

/** Scenes at the station: rare moments between people, badges, teams and the network. Each starts at a quiet point. */
export class StationScenes {
  readonly #stage: Stage;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Makers of the scenes, by name. */
  all(): Record<string, () => Step[]> {
    return {
      badgeRevokedDuringWork: () => this.badgeRevokedDuringWork(),
      leftOnTheWay: () => this.leftOnTheWay(),
      leftAndRefused: () => this.leftAndRefused(),
      killedBetweenTwo: () => this.killedBetweenTwo(),
      lostBetweenTwo: () => this.lostBetweenTwo(),
      lockedWhileSaving: () => this.lockedWhileSaving(),
      enrolledAgain: () => this.enrolledAgain(),
      strangerAfterRestore: () => this.strangerAfterRestore(),
      restoredStation: () => this.restoredStation(),
      triesOverRestart: () => this.triesOverRestart(),
      pinChanged: () => this.pinChanged(),
      copiedToken: () => this.copiedToken(),
      handedOverAtStation: () => this.handedOverAtStation(),
      takenOverAtStation: () => this.takenOverAtStation(),
      ...readingScenes(this.#stage),
    };
  }

  /** A badge is revoked while its owner works by it offline; at the next contact the station locks, and a PIN still works. */
  badgeRevokedDuringWork(): Step[] {
    const { one, begin, start, act } = shiftAt(this.#stage);
    return [
      ...begin,
      ...start,
      this.#online(false),
      act('limit-value', pick.badTorque),
      this.#office('lost-badge', one),
      act('report', pick.aboutValue),
      this.#at('lock', one),
      this.#at('former-badge', one),
      act('report', pick.aboutSomethingElse),
      this.#online(true),
      this.#run(contact),
      this.#at('former-badge', one),
      this.#at('pin', one),
      act('finish-order', pick.withReasons, 5000),
      this.#at('lock', one),
      this.#at('former-badge', one),
    ];
  }

  /** A person leaves the team while their call is on its way; a lead accepts it later. */
  leftOnTheWay(): Step[] {
    const { one, other, begin, start, act, guide } = shiftAt(this.#stage);
    return [
      ...begin,
      ...start,
      act('limit-value', pick.badTorque, 5000),
      this.#stage.trap(this.#stage.station, { fault: 'suspend-before', count: 1, on: 'batch' }),
      act('report', pick.aboutValueWithPhoto, 0),
      this.#comment(guide),
      this.#stage.rights('line-remove', one),
      this.#run(contact),
      this.#at('badge', other),
      this.#comment(guide, 5000),
      { do: 'quiet' },
      this.#office('accept', one),
      this.#run(contact),
      { do: 'quiet' },
    ];
  }

  /** A person leaves the team while their work waits offline. It is refused, or they return. */
  leftAndRefused(): Step[] {
    const { one, begin, start, act, guide } = shiftAt(this.#stage);
    const isRefused = this.#stage.pick() % 2 === 0;
    return [
      ...begin,
      ...start,
      this.#online(false),
      act('limit-value', pick.badTorque),
      this.#comment(guide),
      this.#stage.act(this.#stage.station, 'leave-station', 0, { picks: leave.handOver }),
      this.#stage.rights('line-remove', one),
      this.#online(true),
      this.#run(contact),
      { do: 'quiet' },
      ...(isRefused ? [this.#office('refuse', one), this.#run(contact), { do: 'quiet' } as const] : []),
      this.#stage.rights('line-add', one),
      this.#run(contact),
      this.#at('badge', one),
      this.#stage.act(this.#stage.station, 'retry-all', 30_000),
    ];
  }

  /** The app dies after one person worked offline, in the middle of a write or not, and another signs in. */
  killedBetweenTwo(): Step[] {
    const { one, other, begin, start, act, guide } = shiftAt(this.#stage);
    const device = this.#stage.station;
    const fault = this.#stage.cast.dice.one(['kill', 'kill-in-write'] as const);
    return [
      ...begin,
      ...start,
      this.#online(false),
      act('limit-value', pick.badTorque),
      { do: 'device-fault', device, fault, picks: [1 + (this.#stage.pick() % 3), this.#stage.pick(), 0, 0] },
      this.#comment(guide),
      { do: 'restart', device },
      this.#at('badge', other),
      this.#comment(guide),
      this.#online(true),
      this.#run(30_000),
      this.#at('badge', one),
      act('suspend-order', pick.any, 5000),
    ];
  }

  /** The response to a call is lost, and it is repeated while another person is signed in. */
  lostBetweenTwo(): Step[] {
    const { one, other, begin, start, act, guide } = shiftAt(this.#stage);
    const fault = this.#stage.cast.dice.one(['lost', 'refused'] as const);
    return [
      ...begin,
      ...start,
      act('report', pick.aboutSomethingElse),
      ...this.#stage.unanswered(this.#stage.station, this.#comment(guide), fault),
      this.#at('lock', one),
      this.#at('badge', other),
      this.#comment(guide),
      ...this.#stage.backWithoutNews(this.#stage.station),
      this.#run(30_000),
      this.#at('badge', one),
      act('report', pick.aboutValueWithPhoto, 0),
      this.#at('badge', other),
      this.#run(30_000),
    ];
  }

  /** The station locks, or somebody else signs in, while an action runs. */
  lockedWhileSaving(): Step[] {
    const { one, other, begin, start, act, guide } = shiftAt(this.#stage);
    return [
      ...begin,
      ...start,
      this.#online(false),
      { ...act('limit-value', pick.badTorque), next: null },
      this.#at('badge', one),
      { ...this.#comment(guide), next: other },
      { ...this.#comment(guide), next: one },
      { ...act('report', pick.aboutValueWithPhoto), next: other },
      this.#online(true),
      this.#run(30_000),
    ];
  }

  /** The station is revoked while the work of two people waits, and enrolled again; a first code may be used up in vain. */
  enrolledAgain(): Step[] {
    const { one, other, begin, start, act, guide } = shiftAt(this.#stage);
    const device = this.#stage.station;
    const isInVain = this.#stage.pick() % 2 === 0;
    const inVain: Step[] = [
      this.#stage.trap(device, { fault: 'lost', count: 1, on: 'all' }),
      this.#office('enrol', one),
    ];
    return [
      ...begin,
      ...start,
      this.#online(false),
      act('limit-value', pick.badTorque),
      act('report', pick.aboutValueWithPhoto),
      this.#at('badge', other),
      this.#comment(guide),
      this.#office('shut-out', one),
      this.#online(true),
      this.#run(contact),
      this.#at('badge', other),
      ...(isInVain ? inVain : []),
      this.#office('enrol', one),
      this.#run(30_000),
      this.#at('badge', one),
      act('finish-order', pick.withReasons, 5000),
    ];
  }

  /** A person joins and works offline at the station, and the server is restored to before they joined. */
  strangerAfterRestore(): Step[] {
    const person = this.#stage.cast.people - 1;
    const guide = this.#stage.guide();
    const device = this.#stage.station;
    return [
      { do: 'back-up' },
      this.#stage.rights('line-lead', lead),
      this.#stage.rights('line-add', person),
      this.#office('new-badge', person),
      this.#run(contact),
      this.#at('badge', person),
      this.#stage.act(device, 'start-order', 5000, { guide }),
      this.#online(false),
      this.#comment(guide),
      { do: 'server-fault', fault: 'restore-command', picks: [0, 0, 0, 0] },
      this.#online(true),
      this.#run(contact),
    ];
  }

  /** The server is restored to before the work at the station, and sometimes to before its last enrolment. */
  restoredStation(): Step[] {
    const { one, other, begin, start, act, guide } = shiftAt(this.#stage);
    const isEnrolledAgain = this.#stage.pick() % 2 === 0;
    const again: Step[] = [this.#office('shut-out', one), this.#run(contact), this.#office('enrol', one)];
    return [
      ...begin,
      { do: 'back-up' },
      this.#office('new-badge', other),
      ...(isEnrolledAgain ? again : []),
      this.#run(contact),
      ...start,
      act('limit-value', pick.badTorque),
      act('report', pick.aboutValueWithPhoto, 5000),
      this.#stage.act(this.#stage.station, 'leave-station', 5000, { picks: leave.pause }),
      this.#at('badge', other),
      this.#comment(guide, 5000),
      { do: 'server-fault', fault: 'restore-command', picks: [0, 0, 0, 0] },
      this.#run(contact),
      this.#at('former-badge', other),
      this.#at('badge', other),
      { do: 'quiet' },
      this.#at('badge', one),
      act('finish-order', pick.withReasons, 5000),
    ];
  }

  /** Five wrong PINs, a restart, and the right PIN too early and in time. */
  triesOverRestart(): Step[] {
    const { one, begin, guide } = shiftAt(this.#stage);
    const wrong = this.#stage.cast.dice.times(5, () => this.#at('wrong-pin', one));
    return [
      ...begin,
      this.#at('unknown-badge', one),
      ...wrong,
      { do: 'restart', device: this.#stage.station },
      this.#at('pin', one),
      this.#run(40_000),
      this.#at('pin', one),
      this.#comment(guide, 5000),
      { do: 'restart', device: this.#stage.station },
      this.#run(contact),
    ];
  }

  /** A PIN is changed while its owner works by it. */
  pinChanged(): Step[] {
    const { one, begin, start, act } = shiftAt(this.#stage);
    return [
      ...begin,
      ...start,
      this.#at('pin', one),
      this.#office('new-pin', one),
      act('limit-value', pick.badTorque),
      this.#run(contact),
      this.#at('former-pin', one),
      this.#at('pin', one),
      act('report', pick.aboutValue, 5000),
    ];
  }

  /** Somebody calls with the token of the station's device. */
  copiedToken(): Step[] {
    const { one, begin, start } = shiftAt(this.#stage);
    return [...begin, ...start, this.#office('copied-token', one)];
  }

  /** An order is handed over, paused and kept running at the station, and the two people take turns. */
  handedOverAtStation(): Step[] {
    const { other, begin, start, act } = shiftAt(this.#stage);
    const device = this.#stage.station;
    return [
      ...begin,
      ...start,
      this.#online(false),
      act('limit-value', pick.badTorque),
      this.#stage.act(device, 'leave-station', 0, { picks: leave.handOver }),
      this.#at('badge', other),
      act('assume-order', pick.any),
      act('report', pick.aboutValue),
      this.#stage.act(device, 'leave-station', 0, { picks: leave.keepRunning }),
      this.#online(true),
      this.#run(30_000),
      this.#at('badge', other),
      this.#stage.act(device, 'leave-station', 0, { picks: leave.pause }),
      this.#at('pin', other),
      act('finish-order', pick.withReasons, 5000),
    ];
  }

  /** Work at the offline station meets another person who took the order over; nobody else may decide about it. */
  takenOverAtStation(): Step[] {
    const { one, other, begin, start, act } = shiftAt(this.#stage);
    const device = this.#stage.cast.devices.indexOf(other);
    return [
      ...begin,
      ...start,
      act('suspend-order', pick.any, 5000),
      this.#online(false),
      act('assume-order', pick.any),
      act('limit-value', pick.badTorque),
      act('report', pick.aboutValue),
      { do: 'run', device, ms: 10_000 },
      { ...act('assume-order', pick.any, 5000), device },
      this.#online(true),
      this.#run(30_000),
      this.#at('badge', other),
      act('own-order', [0, this.#stage.pick(), 0, 0, 0, 0], 5000),
      { do: 'quiet' },
      this.#at('badge', one),
      act('own-order', [0, 1, 0, 0, 0, 0], 10_000),
    ];
  }

  #at(what: StationDoing, person: number): Step {
    return this.#stage.at(what, person);
  }

  #office(what: OfficeDoing, person: number): Step {
    return this.#stage.office(what, person);
  }

  #comment(guide: number, ms = 0): Extract<Step, { do: 'act' }> {
    return this.#stage.act(this.#stage.station, 'comment', ms, { guide });
  }

  #online(on: boolean): Step {
    return { do: 'online', device: this.#stage.station, on };
  }

  #run(ms: number): Step {
    return { do: 'run', device: this.#stage.station, ms };
  }
}
