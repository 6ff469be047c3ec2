import type { Answered, Operation, UnknownSave } from './operation.ts';

/** A record between two operations; `revisionid` is null after a save without a response until a client receives it. */
interface State {
  revisionid: number | null;
  /** Each revision is greater than the one before. */
  above: number;
  text: string;
}

/** The longest order that was found, and the operations that cannot follow it. */
export interface Contradiction {
  state: State;
  /** Operations that had to come next. */
  stuck: Operation[];
  placed: number;
}

/**
 * Whether the operations on one record are linearizable: each took effect at one moment between its start and its
 * end, following the API's revisions (a save on top of the current revision makes a greater one, any other save is
 * refused). Null: they are. Method: depth first over the operations that may come next, skipping states already seen
 * (G. Lowe, "Testing for linearizability", 2016, after Wing and Gong; A. Athalye, Porcupine, 2017). A save without a
 * response takes effect only where its revision fits, and need not take effect at all.
 */
export function contradictionOf(
  operations: readonly Operation[],
  first: { revisionid: number; text: string },
): Contradiction | null {
  const answered = operations
    .filter((one): one is Answered => one.kind !== 'unknown')
    .toSorted((a, b) => a.start - b.start);
  const unknown = operations.filter((one): one is UnknownSave => one.kind === 'unknown');
  const search = new Search(answered, unknown);
  return search.run({ revisionid: first.revisionid, above: first.revisionid, text: first.text });
}

/** A node of the search: the placed operations, and the state after them. */
interface Node {
  /** Answered operations before this index are all placed. */
  next: number;
  /** Indices of other placed operations, ascending. */
  ahead: readonly number[];
  /** Unknown saves that took effect, ascending. */
  effective: readonly number[];
  placed: number;
  state: State;
}

class Search {
  readonly #answered: readonly Answered[];
  readonly #unknown: readonly UnknownSave[];

  constructor(answered: readonly Answered[], unknown: readonly UnknownSave[]) {
    this.#answered = answered;
    this.#unknown = unknown;
  }

  run(state: State): Contradiction | null {
    const root: Node = { next: 0, ahead: [], effective: [], placed: 0, state };
    const seen = new Set<string>([keyOf(root)]);
    const open = [root];
    let furthest = root;
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (node.next === this.#answered.length) return null;
      if (node.placed > furthest.placed) furthest = node;
      for (const follower of this.#followers(node)) {
        const key = keyOf(follower);
        if (seen.has(key)) continue;
        seen.add(key);
        open.push(follower);
      }
    }
    return {
      state: furthest.state,
      stuck: this.#candidates(furthest).map((index) => this.#answered[index] as Answered),
      placed: furthest.placed,
    };
  }

  /** Possible next nodes, the earliest last, because the last one is tried first. */
  *#followers(node: Node): Generator<Node> {
    const candidates = this.#candidates(node);
    const latest = this.#earliestEnd(candidates);
    for (const [index, save] of this.#unknown.entries()) {
      if (save.start > latest || save.expected !== node.state.revisionid || node.effective.includes(index))
        continue;
      const effective = [...node.effective, index].toSorted((a, b) => a - b);
      const state = { revisionid: null, above: save.expected, text: save.text };
      yield { ...node, effective, state };
    }
    for (const index of candidates.toReversed()) {
      const state = after(node.state, this.#answered[index] as Answered);
      if (state !== null) yield this.#placed(node, index, state);
    }
  }

  /** Unplaced answered operations that began before all others of these ended. */
  #candidates(node: Node): number[] {
    const found: number[] = [];
    let latest = Infinity;
    for (let index = node.next; index < this.#answered.length; index += 1) {
      const one = this.#answered[index] as Answered;
      if (one.start > latest) break;
      if (node.ahead.includes(index)) continue;
      found.push(index);
      latest = Math.min(latest, one.end);
    }
    return found.filter((index) => (this.#answered[index] as Answered).start <= latest);
  }

  #earliestEnd(candidates: readonly number[]): number {
    return Math.min(Infinity, ...candidates.map((index) => (this.#answered[index] as Answered).end));
  }

  #placed(node: Node, index: number, state: State): Node {
    const ahead = [...node.ahead, index].toSorted((a, b) => a - b);
    let { next } = node;
    while (ahead[0] === next) {
      ahead.shift();
      next += 1;
    }
    return { next, ahead, effective: node.effective, placed: node.placed + 1, state };
  }
}

function keyOf({ next, ahead, effective, state }: Node): string {
  return `${next}|${ahead.join()}|${effective.join()}|${state.revisionid}|${state.text}`;
}

/** The state after an operation; null: it cannot have happened. */
function after(state: State, one: Answered): State | null {
  if (one.kind !== 'save') {
    if (one.kind === 'refusal' && one.expected === one.seen.revisionid) return null;
    return resolved(state, one.seen);
  }
  const { expected, saved } = one;
  if (state.revisionid !== expected || (saved.revisionid !== null && saved.revisionid <= expected))
    return null;
  return { ...saved, above: expected };
}

/** The state when a client reads `seen`; null: it contradicts the state. */
function resolved(state: State, seen: { revisionid: number; text: string }): State | null {
  if (seen.text !== state.text) return null;
  if (state.revisionid !== null) return seen.revisionid === state.revisionid ? state : null;
  return seen.revisionid > state.above ? { ...state, revisionid: seen.revisionid } : null;
}
