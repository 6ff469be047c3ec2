import { expect, test } from 'vitest';

import { normalPin, pinRefusal } from '#shared/rules/device-pin.ts';

test.each([
  ['', 'too-short'],
  ['48151', 'too-short'],
  ['481516', null],
  ['x'.repeat(199), 'repeated'],
  ['ab'.repeat(100), null],
  [`${'ab'.repeat(100)}c`, 'too-long'],
  ['000000', 'repeated'],
  ['🔧🔧🔧🔧🔧🔧', 'repeated'],
  ['123456', 'run'],
  ['987654', 'run'],
  ['abcdefgh', 'run'],
  ['123457', null],
  ['135791', null],
  ['112233', null],
  ['246810', null],
  // Three letters that are written as six code units.
  ['e\u0301e\u0301e\u0301', 'too-short'],
  ['🔧🔨🔩', 'too-short'],
])('ELECTRON-43 the PIN %j is judged %j', (pin, refusal) => {
  expect(pinRefusal(pin)).toBe(refusal);
});

test('ELECTRON-43 a PIN is the same whichever way its letters were composed', () => {
  expect(normalPin('cafe\u0301 42')).toBe(normalPin('caf\u00e9 42'));
});
