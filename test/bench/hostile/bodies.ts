import { post, type Attack } from './attack.ts';

const wide = (fields: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: fields }, (_, n) => [`k${n}`, n])));

const bodies = [
  wide(115_000),
  JSON.stringify({ steps: Array.from({ length: 900_000 }, () => 1) }),
  JSON.stringify({
    category: 'Bench',
    type: 'technique',
    tools: Array.from({ length: 100_000 }, () => ({ a: 1 })),
  }),
];

/** Bodies of two megabytes with as many fields or values as fit. */
export const wideBodies: Attack = {
  name: 'bodies of 115,000 fields and of 900,000 values',
  async wave(target) {
    const counted = {};
    for (const body of bodies) await post(target, '/guides', target.author, body, counted);
    return counted;
  },
};

const step = {
  title: 'Step',
  lines: Array.from({ length: 8 }, () => ({ text: 'Turn the wheel by hand. '.repeat(8) })),
};
const largest = JSON.stringify({
  category: 'Bench',
  type: 'technique',
  title: 'Large',
  steps: Array.from({ length: 1000 }, () => step),
});

/** The largest accepted guide. */
export const largeGuides: Attack = {
  name: 'guides of 1,000 steps and 1.7 MB',
  async wave(target) {
    const counted = {};
    await post(target, '/guides', target.author, largest, counted);
    return counted;
  },
};
