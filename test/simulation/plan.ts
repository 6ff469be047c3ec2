import type { RawEdit } from '#test/support/guide-edits.ts';

import { Dice } from './random.ts';

/**
 * A fault of one request of a device. `refused`: it never arrives. `busy`: a proxy answers 503. `lost`: the server
 * executes it, the response is lost. `cut`: half of the response arrives. `twice`, `at-once`: it is delivered twice,
 * one after the other or together. `late`: it is delivered again at the very end.
 */
export interface Fault {
  on: 'batch' | 'pull' | 'events';
  /** Number of the request on this channel since the device reconnected. */
  nth: number;
  kind: 'refused' | 'busy' | 'lost' | 'cut' | 'twice' | 'at-once' | 'late';
}

export type OrderMove = 'pause' | 'resume' | 'step' | 'finish';

/** The actions of one device while offline, and how it reconnects. */
export interface Stay {
  /** Edits of the guide, one list per save. */
  saves: RawEdit[][];
  /** Comments on the guide; `true`: its text is changed before it is sent. */
  comments: boolean[];
  /** How often the favourite is switched. */
  favorites: number;
  /** Transitions of a work order started while offline; null: none is started. */
  order: OrderMove[] | null;
  /** Whether the app is restarted before the device reconnects. */
  restarts: boolean;
  /** The network works for this number of batches; then these edits follow, and it returns for good. */
  flap: { batches: number; edits: RawEdit[] } | null;
  faults: Fault[];
  /** Numbers that choose how a conflict is decided. */
  choices: number[];
}

/** Two devices edit one guide offline and reconnect. */
export interface Round {
  left: Stay;
  right: Stay;
  returns: 'left-first' | 'right-first' | 'together';
}

export interface Plan {
  seed: number;
  /** Lines of each step of the initial guide. */
  steps: string[][];
  rounds: Round[];
}

const words = [
  'Turn',
  'the',
  'radio',
  'off',
  'and',
  'remove',
  'four',
  'red',
  'screws',
  'from',
  'its',
  'back',
] as const;

/** The plan of a seed. */
export function planOf(seed: number): Plan {
  const dice = new Dice(seed);
  const steps = dice.times(2 + dice.below(4), () => dice.times(1 + dice.below(3), () => lineOf(dice)));
  return { seed, steps, rounds: dice.times(dice.chance(0.25) ? 2 : 1, () => roundOf(dice)) };
}

function lineOf(dice: Dice): string {
  return `${dice.times(4 + dice.below(5), () => dice.one(words)).join(' ')}.`;
}

function roundOf(dice: Dice): Round {
  const left = editsOf(dice, null);
  const right = editsOf(dice, dice.chance(0.6) ? left : null);
  return {
    left: stayOf(dice, left),
    right: stayOf(dice, right),
    returns: dice.one(['left-first', 'right-first', 'together']),
  };
}

/** Edits at random places; with `other`, half of them at the places of the other side, so that sides meet. */
function editsOf(dice: Dice, other: readonly RawEdit[] | null): RawEdit[] {
  return dice.times(1 + dice.below(6), () => {
    const edit = {
      kind: dice.below(100),
      where: dice.below(1000),
      which: dice.below(1000),
      to: dice.below(1000),
    };
    const meets = other?.[dice.below(other.length)];
    if (meets === undefined || dice.chance(0.5)) return edit;
    return {
      ...edit,
      kind: dice.chance(0.7) ? meets.kind : edit.kind,
      where: meets.where,
      which: meets.which,
    };
  });
}

function stayOf(dice: Dice, edits: RawEdit[]): Stay {
  const split = dice.chance(0.25) ? 1 + dice.below(edits.length) : edits.length;
  return {
    saves: [edits.slice(0, split), edits.slice(split)].filter((save) => save.length > 0),
    comments: dice.chance(0.4) ? dice.times(1 + dice.below(2), () => dice.chance(0.3)) : [],
    favorites: dice.chance(0.3) ? 1 + dice.below(3) : 0,
    order: dice.chance(0.3) ? orderOf(dice) : null,
    restarts: dice.chance(0.1),
    flap: dice.chance(0.2) ? { batches: 1 + dice.below(2), edits: editsOf(dice, null) } : null,
    faults: faultsOf(dice),
    choices: dice.times(4, () => dice.below(1000)),
  };
}

function orderOf(dice: Dice): OrderMove[] {
  const moves: OrderMove[] = [];
  let runs = true;
  for (const _ of dice.times(1 + dice.below(5), () => null)) {
    const move: OrderMove = !runs ? 'resume' : dice.one(['step', 'pause', 'step']);
    runs = move === 'pause' ? false : true;
    moves.push(move);
  }
  if (runs && dice.chance(0.4)) moves.push('finish');
  return moves;
}

function faultsOf(dice: Dice): Fault[] {
  const faults: Fault[] = [];
  for (let nth = 0; nth < 4; nth += 1) {
    if (dice.chance(0.45))
      faults.push({
        on: 'batch',
        nth,
        kind: dice.one(['lost', 'twice', 'refused', 'cut', 'at-once', 'late', 'lost', 'busy']),
      });
    if (dice.chance(0.15))
      faults.push({ on: 'pull', nth, kind: dice.one(['refused', 'lost', 'cut', 'busy']) });
    if (dice.chance(0.1)) faults.push({ on: 'events', nth, kind: 'refused' });
  }
  return faults;
}
