import { createHash } from 'node:crypto';

import { Coverage, type FaultKind } from '../coverage.ts';
import type { Violation } from '../oracle/scene.ts';
import type { DoingKind, Plan, PlainDoing } from '../plan.ts';
import type { Clock } from './clock.ts';

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

/** What happens in a run. */
export class RunRecord {
  readonly violations: Violation[] = [];
  readonly coverage = new Coverage();
  readonly #clock: Clock;
  readonly #trace: string[] = [];
  readonly #exchanges: string[] = [];
  readonly #actions = new Map<string, number>();
  readonly #faults = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds a line to the trace. */
  say(what: string): void {
    this.#trace.push(what);
    if (process.env['LIVE']) process.stderr.write(`${Math.round(this.#clock.passed / 1000)} ${what}\n`);
  }

  broke(rule: Violation['rule'], what: string): void {
    this.violations.push({ rule, what });
  }

  /** `line`: which request of which device, and the SHA-256 of request and response. */
  exchanged(line: string): void {
    this.#exchanges.push(line);
  }

  countAction(device: number, kind: DoingKind): void {
    count(this.#actions, kind);
    this.coverage.noteAction(device, kind);
  }

  /** Counts an action of the client without a device. */
  countPlain(what: PlainDoing): void {
    count(this.#actions, `plain ${what}`);
  }

  /** `device`: null for a fault of all devices. */
  countFault(device: number | null, fault: FaultKind): void {
    count(this.#faults, fault);
    this.coverage.noteFault(device, fault);
  }

  result(plan: Plan): Result {
    return {
      plan,
      violations: this.violations,
      trace: this.#trace,
      sha256: createHash('sha256').update(this.#trace.join('\n')).digest('hex'),
      exchanges: this.#exchanges,
      actions: this.#actions,
      faults: this.#faults,
      coverage: this.coverage,
      lasted: this.#clock.passed,
    };
  }
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}
