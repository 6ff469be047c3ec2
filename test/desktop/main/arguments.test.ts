import { expect, test } from 'vitest';

import { argumentsRefusal, fileArguments, keepsKeyInFile, serverArgument } from '#desktop/main/arguments.ts';

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

test('the archives among the arguments are returned with their full paths', () => {
  const given = ['/opt/benchbook', '--flag=x.omanual', 'mine.omanual', '/usb/Other.OMANUAL', 'notes.txt'];
  expect(fileArguments(given, '/home/ada')).toEqual(['/home/ada/mine.omanual', '/usb/Other.OMANUAL']);
  expect(fileArguments(['/home/ada/tool.omanual'], '/')).toEqual([]);
  const chosen = ['/opt/benchbook', 'guide.xml', 'all.zip', 'old.oman'];
  expect(fileArguments(chosen, '/usb')).toEqual(['/usb/guide.xml', '/usb/all.zip', '/usb/old.oman']);
});

test('file managers pass addresses of files', () => {
  const given = ['/opt/benchbook', 'file:///home/me/My%20guide.omanual', 'file://elsewhere/%E0%A4%A.omanual'];
  expect(fileArguments(given, '/home/me')).toEqual(['/home/me/My guide.omanual']);
});

test('ELECTRON-41 a station is told to keep its key in a file', () => {
  expect(keepsKeyInFile(['/opt/benchbook', '--keep-key-in-file', 'a.omanual'])).toBe(true);
  expect(keepsKeyInFile(['/opt/benchbook', '--keep-key-in-file=no'])).toBe(false);
});

test('ELECTRON-89 more arguments than a second start can hand over are refused, except on Windows', () => {
  // Chromium reads 32 KB, with the name of the present folder.
  const few = ['/opt/benchbook', ...Array<string>(250).fill(`/${'ü'.repeat(40)}.omanual`)];
  const many = [...few, ...few];
  expect(argumentsRefusal(few, 'linux')).toBeNull();
  expect(argumentsRefusal(many, 'linux')?.detail).toBe(501);
  expect(argumentsRefusal(many, 'darwin')).not.toBeNull();
  expect(argumentsRefusal(many, 'win32')).toBeNull();
});
