import { Dice } from '../random.ts';

/** The devices: two of Ana, one of Ben. */
export const devices = ['ana-1', 'ana-2', 'ben'] as const;
export type DeviceName = (typeof devices)[number];

/** A person's edit. `append` adds a word to the text; `replace` replaces the text by a word. */
export type Writing =
  | { do: 'append'; place: 'introduction' | 'summary' | 'line' | 'step-title' }
  | { do: 'replace'; place: 'introduction' | 'summary' | 'line' }
  /** Written, but not saved. */
  | { do: 'unsaved' }
  | { do: 'step' }
  | { do: 'comment' }
  | { do: 'order'; finishes: boolean }
  | { do: 'page' }
  /** A file of the guide, named by the word. */
  | { do: 'document' }
  | { do: 'tag' }
  | { do: 'guide' };

/** Which guide of the run. */
export type Target = number | 'newest';

export type Deed =
  | { by: DeviceName; on: Target; writing: Writing }
  | { by: DeviceName; do: 'leave' | 'return' | 'restart' }
  /** From now on until it is offline, the device receives only responses to its own calls. */
  | { by: DeviceName; do: 'deafen' }
  /** A person without a device, on the server. */
  | { by: 'carl'; on: Target; do: 'replace' | 'append' | 'comment' | 'guide' }
  | { by: 'administrator'; do: 'back-up' }
  /** `how`: with the command, or by copying the files back. */
  | { by: 'administrator'; do: 'restore'; how: 'command' | 'files' }
  /** Everyone online waits until nothing moves. */
  | { by: 'all'; do: 'rest' };

export interface Plan {
  seed: number;
  deeds: Deed[];
  choices: number[];
}

/** The plan of a seed: writing before a backup, between backup and restore, and after it, by all in any order. */
export function planOf(seed: number): Plan {
  const dice = new Dice(seed);
  const deeds: Deed[] = [];
  const some = (most: number): void => {
    for (let left = 1 + dice.below(most); left > 0; left -= 1) deeds.push(deedOf(dice));
  };
  const restores = dice.chance(0.25) ? 2 : 1;
  some(3);
  for (let n = 0; n < restores; n += 1) {
    if (dice.chance(0.6)) deeds.push({ by: 'all', do: 'rest' });
    if (n === 0 || dice.chance(0.5)) deeds.push({ by: 'administrator', do: 'back-up' });
    some(5);
    const isNumberTaken = dice.chance(0.4);
    if (isNumberTaken) deeds.push(...newGuide(dice));
    const deaf = dice.chance(0.3) ? dice.one(devices) : null;
    // Its calls are answered, and no device learns a checkpoint except from responses.
    if (deaf !== null) {
      deeds.push({ by: 'all', do: 'rest' });
      if (dice.chance(0.9)) deeds.push({ by: 'administrator', do: 'back-up' });
      for (const by of devices) if (by !== deaf) deeds.push({ by, do: 'leave' });
      deeds.push({ by: deaf, do: 'deafen' }, writes(dice, deaf));
    }
    if (isNumberTaken || dice.chance(0.8)) deeds.push({ by: 'all', do: 'rest' });
    if (dice.chance(0.3)) some(2);
    // A device that reconnects late receives the work of others.
    for (const by of devices) if (by === deaf || dice.chance(0.5)) deeds.push({ by, do: 'leave' });
    const how = isNumberTaken || dice.chance(0.5) || deaf !== null ? 'files' : 'command';
    deeds.push({ by: 'administrator', do: 'restore', how });
    // Before any device tells the server what it lost, the next guide and version get numbers from before.
    if (isNumberTaken) deeds.push({ by: 'carl', on: 0, do: 'guide' });
    if (dice.chance(0.4)) deeds.push({ by: 'carl', on: 0, do: dice.one(['replace', 'append']) });
    some(5);
  }
  return { seed, deeds, choices: dice.times(6, () => dice.below(12)) };
}

/** One person creates a guide, and another writes on it. */
function newGuide(dice: Dice): Deed[] {
  const author = dice.one(devices);
  const other = author === 'ben' ? 'ana-1' : 'ben';
  return [
    { by: author, on: 0, writing: { do: 'guide' } },
    { by: 'all', do: 'rest' },
    { by: other, on: 'newest', writing: dice.one([{ do: 'comment' }, { do: 'tag' }, writingOf(dice)]) },
  ];
}

function writes(dice: Dice, by: DeviceName): Deed {
  return { by, on: dice.below(3), writing: writingOf(dice) };
}

function deedOf(dice: Dice): Deed {
  const on = dice.below(3);
  const kind = dice.below(10);
  if (kind < 2) return { by: 'carl', on, do: dice.one(['replace', 'append', 'comment', 'guide']) };
  const by = dice.one(devices);
  if (kind === 2) return { by, do: dice.one(['leave', 'return', 'return', 'restart']) };
  return { by, on, writing: writingOf(dice) };
}

function writingOf(dice: Dice): Writing {
  switch (dice.below(13)) {
    case 0:
    case 1:
      return { do: 'append', place: dice.one(['introduction', 'summary', 'line', 'step-title']) };
    case 2:
    case 3:
    case 4:
      return { do: 'replace', place: dice.one(['introduction', 'summary', 'line']) };
    case 5:
      return { do: 'unsaved' };
    case 6:
      return { do: 'step' };
    case 7:
      return { do: 'comment' };
    case 8:
      return { do: 'order', finishes: dice.chance(0.5) };
    case 9:
      return { do: 'page' };
    case 10:
      return { do: 'tag' };
    case 11:
      return { do: 'document' };
    default:
      return { do: 'guide' };
  }
}
