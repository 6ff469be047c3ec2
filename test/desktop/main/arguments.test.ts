import { expect, test } from 'vitest';

import { serverArgument } from '#desktop/main/arguments.ts';

test.each([
  [['electron', '.', '--server=http://127.0.0.1:4711'], 'http://127.0.0.1:4711'],
  [['--server=https://bench.example/sub/'], 'https://bench.example/sub'],
  [['--server=http://old.example', '--server=http://new.example'], 'http://new.example'],
])('%j names the server %s', (given, server) => {
  expect(serverArgument(given)).toBe(server);
});

test.each([
  [['electron', '.']],
  [['--server=']],
  [['--server=not an address']],
  [['--server=file:///etc/passwd']],
  [['--server=javascript:alert(1)']],
  [['--servers=http://bench.example']],
])('%j names no server', (given) => {
  expect(serverArgument(given)).toBeNull();
});
