import { expect, test } from 'vitest';

import { relinked, type LinkTargets } from '#server/features/guides/import/wiki-links.ts';

const targets: LinkTargets = {
  guide: (source) => (source === 7 ? 70 : undefined),
  step: (source) => (source === 3 ? 30 : undefined),
  image: (source) => (source === 5 ? 50 : undefined),
  origin: 'http://bench.local:8080',
};

test.each([
  ['[guide|7|the belt|stepid=3]', '[guide|70|the belt|stepid=30]'],
  ['[guide|7|the belt|stepid=4]', '[guide|70|the belt]'],
  ['[guide|8]', '[http://bench.local:8080/Guide/-/8|Guide 8]'],
  ['[guide|8|the fan|stepid=4]', '[http://bench.local:8080/Guide/-/8#s4|the fan]'],
  ['[guide|8|the fan|new_window=true]', '[http://bench.local:8080/Guide/-/8|the fan|new_window=true]'],
  ['[http://bench.local:8080/Guide/Belt/7#s3|it]', '[/Guide/Belt/70#s30|it]'],
  ['[http://bench.local:8080/Guide/Fan/8#s4|it]', '[http://bench.local:8080/Guide/Fan/8#s4|it]'],
  ['[link|http://bench.local:8080/c/Fans|all]', '[link|/c/Fans|all]'],
  ['[image|5|size=large][image|6]', '[image|50|size=large]'],
])(
  'OMANUAL-IMPORT-12 links follow an import, and keep site and step if the guide was not imported: %s',
  (raw, then) => {
    expect(relinked(raw, targets)).toBe(then);
  },
);

test.each([
  ['https://bench.example', '[https://bench.example/Guide/-/8#s4|the fan]'],
  ['http://bench.example/shop', '[http://bench.example/shop/Guide/-/8#s4|the fan]'],
  ['', 'the fan'],
  ['http://[::1]:80', 'the fan'],
  ['http://localhost', 'the fan'],
  ['http://127.0.0.1:8080', 'the fan'],
])('OMANUAL-IMPORT-12 a guide that was not imported is linked at its own address: %s', (origin, then) => {
  expect(relinked('[guide|8|the fan|stepid=4]', { ...targets, origin })).toBe(then);
});

test.each([
  ['[http://localhost/Guide/Fan/8#s4|it]', 'it'],
  ['[link|http://localhost/Guide/Fan/8]', 'Guide 8'],
  ['[http://localhost/Guide/Belt/7|it]', '[/Guide/Belt/70|it]'],
  ['[http://localhost/c/Fans|all]', '[/c/Fans|all]'],
])('OMANUAL-IMPORT-12 no link leads to the machine of its reader: %s', (raw, then) => {
  expect(relinked(raw, { ...targets, origin: 'http://localhost' })).toBe(then);
});
