import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { ipcCalls, type KeyState } from '#desktop/ipc.ts';
import type { KeyRecord } from '#desktop/main/device-key-file.ts';
import type { DeviceKey } from '#desktop/main/device-key.ts';
import { fingerprintOf } from '#desktop/main/key-wraps.ts';
import { must } from '#shared/must.ts';
import { runs } from '#test/support/long-run.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { Computer, type Fault, FaultyCalls } from './device-key-world.ts';

type Handlers = DeviceKey['handlers'];

const account = { origin: 'https://bench.example', account: 'ada' };
const secret = new Uint8Array(randomBytes(32));
const pins = ['481516', 'another one'] as const;
const [firstPin, secondPin] = pins;

let temporary: Awaited<ReturnType<typeof temporaryFolder>>;
let path: string;

beforeEach(async () => {
  temporary = await temporaryFolder('key-faults');
  path = join(temporary.path, 'device-key.json');
});

afterEach(() => temporary[Symbol.asyncDispose]());

/** What a person knows: the key that was returned, the PINs that may be the right one, and whether an account can help. */
class Known {
  key: Uint8Array | undefined;
  pins: string[] = [];
  canRecover = false;

  note(state: KeyState): void {
    if (state.state !== 'open') return;
    this.key ??= state.key;
    expect(state.key).toEqual(this.key);
  }
}

/** A life of a device, with restarts. A step that fails is not repeated. */
async function live(computer: Computer, calls: FaultyCalls, known: Known): Promise<void> {
  let device = computer.start({ calls });
  const step = async (work: () => Promise<KeyState>): Promise<boolean> => {
    const state = await work().catch(() => null);
    if (state !== null) known.note(state);
    return state?.state === 'open';
  };
  const protectWith = async (pin: string, call: 'keyCreate' | 'keyProtect'): Promise<void> => {
    known.pins.push(pin);
    if (await step(() => device[call]({ protection: 'pin', pin }))) known.pins = [pin];
  };
  const restart = (): void => {
    // After the death of the process, the next one has a healthy disk.
    device = computer.start(calls.dead ? {} : { calls });
  };
  const unlock = async (): Promise<void> => {
    for (const pin of pins) await step(() => device.keyUnlock(pin));
  };
  computer.keyring.missing = true;
  await step(() => device.keyState());
  await protectWith(firstPin, 'keyCreate');
  restart();
  await unlock();
  known.canRecover = await device.keyAddRecovery({ ...account, secret }).then(
    () => true,
    () => false,
  );
  await protectWith(secondPin, 'keyProtect');
  restart();
  await unlock();
  await step(() => device.keyProtect({ protection: 'file' }));
  restart();
  await step(() => device.keyState());
  await protectWith(firstPin, 'keyProtect');
  restart();
  if (known.canRecover) await step(() => device.keyRecover({ ...account, secret }));
  computer.keyring.missing = false;
  await step(() => device.keyProtect({ protection: 'system' }));
  restart();
  await step(() => device.keyState());
}

/** Opens the key with a healthy disk, by what the person knows. */
async function openAgain(computer: Computer, known: Known): Promise<Uint8Array | undefined> {
  const device = computer.start();
  let state = await device.keyState();
  for (const pin of known.pins) {
    if (state.state !== 'locked') break;
    computer.clocks.pass(state.waitSeconds);
    state = await device.keyUnlock(pin);
  }
  return state.state === 'open' ? state.key : undefined;
}

test.each(['fails', 'fails late', 'dies'] as const)(
  'ELECTRON-40 a key that was returned opens again, whichever file call %s',
  async (kind) => {
    let returned = 0;
    for (let nth = 1; ; nth += 1) {
      const fault: Fault = { nth, kind };
      const folder = join(temporary.path, `${kind}-${nth}`);
      await mkdir(folder);
      const computer = new Computer(folder);
      const calls = new FaultyCalls(fault);
      const known = new Known();
      await live(computer, calls, known);
      if (known.key !== undefined) {
        returned += 1;
        expect(await openAgain(computer, known), `${kind} ${nth}`).toEqual(known.key);
        if (known.canRecover) await recoverElsewhere(folder, known.key);
      } else expect((await computer.start().keyState()).state).toMatch(/locked|open|new/);
      expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
      if (calls.log.length < nth) break;
    }
    expect(returned).toBeGreaterThan(50);
  },
);

/** The account still opens the key where its keyring and PIN are unknown. */
async function recoverElsewhere(folder: string, key: Uint8Array): Promise<void> {
  const computer = new Computer(folder);
  computer.keyring.secret = 'replaced';
  const state = await computer.start().keyRecover({ ...account, secret });
  if (state.state === 'open') expect(state.key).toEqual(key);
  else expect(state).toBeUndefined();
}

test('ELECTRON-40 a key is written in the order that survives a power cut, before it is returned', async () => {
  const calls = new FaultyCalls();
  const computer = new Computer(temporary.path);
  const reading = ['remove', 'read', 'remove', 'read'];
  const writing = ['remove', 'open wx', 'write', 'sync', 'rename', 'open r', 'sync'];
  await computer.start({ calls }).keyState();
  // Once for the second copy.
  expect(calls.log).toEqual([...reading, ...writing, ...writing]);
  calls.log.length = 0;
  // The process before may have ended before its last fsync.
  const again = computer.start({ calls });
  await again.keyState();
  expect(calls.log).toEqual([...reading, 'open r+', 'sync', 'open r', 'sync', 'read']);
  calls.log.length = 0;
  await again.keyState();
  expect(calls.log).toEqual(reading);
});

test('ELECTRON-40 a file that is removed while the key is open is written again', async () => {
  const computer = new Computer(temporary.path);
  const device = computer.start();
  const first = await device.keyState();
  for (const gone of [[path], [path, computer.copy]]) {
    for (const one of gone) await rm(one);
    expect(await device.keyState()).toEqual(first);
    expect(await readFile(path, 'utf8')).toBe(await readFile(computer.copy, 'utf8'));
    expect(await computer.start().keyState()).toEqual(first);
  }
});

async function keyUnderEverything(
  computer: Computer,
  protection: 'system' | 'pin' | 'file',
): Promise<Uint8Array> {
  const device = computer.start();
  await device.keyState();
  await device.keyAddRecovery({ ...account, secret });
  const { key } = await device.keyProtect(
    protection === 'pin' ? { protection, pin: firstPin } : { protection },
  );
  return key;
}

/** All states that the calls lead to, none of which may throw, and none of which may return another key. */
async function statesOf(device: Handlers): Promise<KeyState[]> {
  const states = [
    await device.keyState(),
    await device.keyUnlock(firstPin),
    await device.keyRecover({ ...account, secret }),
  ];
  for (const state of states) expect(ipcCalls.keyState.result.parse(state)).toEqual(state);
  return states;
}

test.each(['system', 'pin', 'file'] as const)(
  'ELECTRON-48 no damage to a file with a key under %s throws, opens another key, or is overwritten',
  async (protection) => {
    const computer = new Computer(temporary.path);
    const key = await keyUnderEverything(computer, protection);
    const text = await readFile(path, 'utf8');
    const record = JSON.parse(text) as KeyRecord;
    const changed = fc.tuple(
      fc.constantFrom(...placesIn(record)),
      fc.oneof(fc.jsonValue(), fc.constant(undefined)),
    );
    const damaged = fc.oneof(
      fc.array(changed, { minLength: 1, maxLength: 3 }).map((changes) => {
        const copy = structuredClone(record);
        for (const [place, value] of changes) setAt(copy, place, value);
        return JSON.stringify(copy);
      }),
      fc.nat(text.length - 1).map((at) => text.slice(0, at)),
      fc
        .tuple(fc.nat(text.length - 1), fc.constantFrom('A', '0', 'f', '"', '}', '\u0000', '9', '='))
        .map(([at, character]) => text.slice(0, at) + character + text.slice(at + 1)),
      fc.json(),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(damaged, async (given) => {
        await writeFile(path, given);
        await rm(computer.copy, { force: true });
        const states = await statesOf(computer.start());
        for (const state of states) if (state.state === 'open') expect(state.key).toEqual(key);
        if (states[0]?.state === 'unreadable') expect(await readFile(path, 'utf8')).toBe(given);
      }),
      { numRuns: runs(400) },
    );
  },
);

type Place = readonly string[];

/** The paths of all values in a record. */
function placesIn(value: unknown, place: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]): Place[] => {
    const here = [...place, name];
    return [here, ...placesIn(inner, here)];
  });
}

function setAt(record: object, place: Place, value: unknown): void {
  let target: unknown = record;
  for (const name of place.slice(0, -1)) target = Reflect.get(Object(target), name);
  if (typeof target === 'object' && target !== null) Reflect.set(target, must(place.at(-1), 'a name'), value);
}

test('ELECTRON-48 a foreign key in the file, or a wrap of another device, does not open', async () => {
  const computer = new Computer(temporary.path);
  await keyUnderEverything(computer, 'file');
  const record = JSON.parse(await readFile(path, 'utf8')) as KeyRecord;
  const write = (change: Partial<KeyRecord>): Promise<void> =>
    writeFile(path, JSON.stringify({ ...record, ...change }));
  const foreign = randomBytes(32);
  await rm(computer.copy);
  await write({ wraps: { ...record.wraps, file: foreign.toString('base64') } });
  expect(await computer.start().keyState()).toEqual({ state: 'unreadable', kind: 'damaged' });
  await write({ id: fingerprintOf(foreign) });
  expect(await computer.start().keyState()).toEqual({ state: 'unreadable', kind: 'damaged' });

  await writeFile(path, JSON.stringify(record));
  await computer.start().keyProtect({ protection: 'pin', pin: firstPin });
  const underPin = JSON.parse(await readFile(path, 'utf8')) as KeyRecord;
  await writeFile(path, JSON.stringify({ ...underPin, device: crypto.randomUUID() }));
  const device = computer.start();
  expect(await device.keyUnlock(firstPin)).toMatchObject({ state: 'locked', refusal: 'wrong' });
  expect(await device.keyRecover({ ...account, secret })).toMatchObject({
    state: 'locked',
    refusal: 'wrong',
  });
});

test.each([
  ['newer', '{"version":2}'],
  ['newer', '{"version":99,"wraps":{}}'],
  ['damaged', '{"version":"2"}'],
  ['damaged', '{"version":1}'],
  ['damaged', ''],
  ['damaged', '[]'],
  ['damaged', 'null'],
  ['damaged', `${'['.repeat(100_000)}`],
])('ELECTRON-48 a %s file is reported and never overwritten, case %#', async (kind, text) => {
  await writeFile(path, text);
  const device = new Computer(temporary.path).start({ keepInFile: true });
  for (const state of await statesOf(device)) expect(state).toEqual({ state: 'unreadable', kind });
  await expect(device.keyCreate({ protection: 'file' })).rejects.toMatchObject({ kind: 'refused' });
  await expect(device.keyProtect({ protection: 'file' })).rejects.toMatchObject({ kind: 'refused' });
  expect(await readFile(path, 'utf8')).toBe(text);
});

test('ELECTRON-48 a file that the disk does not return is reported, and opens when it does', async () => {
  const computer = new Computer(temporary.path);
  const first = await computer.start().keyState();
  const device = computer.start({ calls: new FaultyCalls({ nth: 2, kind: 'fails' }) });
  expect(await device.keyState()).toEqual({ state: 'unreadable', kind: 'disk' });
  expect(await device.keyState()).toEqual(first);
  await rm(path);
  await mkdir(path);
  expect(await computer.start().keyState()).toEqual({ state: 'unreadable', kind: 'disk' });
});
