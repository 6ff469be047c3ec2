import { expect, test } from 'vitest';

import { announced, negotiate, parseAnnouncement } from '#shared/sync/protocol.ts';

test('PROTOCOL-4 an announced range is read as written', () => {
  expect(announced({ oldest: 5, newest: 6 })).toBe('5-6');
  expect(parseAnnouncement('5-6')).toEqual({ oldest: 5, newest: 6 });
  expect(parseAnnouncement('7')).toEqual({ oldest: 7, newest: 7 });
});

test.each([undefined, '', 'six', '6-5', '5-6-7', '-1', '5,6', ['5', '6'], '99999'])(
  'PROTOCOL-4 an unreadable announcement announces nothing: %j',
  (text) => {
    expect(parseAnnouncement(text)).toBeNull();
  },
);

test.each([
  ['both have the same range', { oldest: 5, newest: 6 }, { oldest: 5, newest: 6 }, { protocol: 6 }],
  ['the device is newer', { oldest: 5, newest: 9 }, { oldest: 5, newest: 6 }, { protocol: 6 }],
  ['the server is newer', { oldest: 5, newest: 6 }, { oldest: 6, newest: 9 }, { protocol: 6 }],
  ['the device announces nothing', null, { oldest: 5, newest: 6 }, { protocol: 5 }],
  ['the device is too old', { oldest: 5, newest: 6 }, { oldest: 7, newest: 9 }, { tooOld: 'client' }],
  ['the device announces nothing, too late', null, { oldest: 6, newest: 6 }, { tooOld: 'client' }],
  ['the server is too old', { oldest: 7, newest: 9 }, { oldest: 5, newest: 6 }, { tooOld: 'server' }],
])(
  'PROTOCOL-4 the highest common protocol is chosen, or the side that is too old is named: %s',
  (_, device, server, spoken) => {
    expect(negotiate(device, server)).toEqual(spoken);
  },
);
