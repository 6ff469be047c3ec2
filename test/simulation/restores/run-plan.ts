import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { PlantedFault } from '#test/support/planted-fault.ts';

import { startThread, type Remote } from '../worker-calls.ts';
import type { Kept } from './device.ts';
import type { RestoredDeviceThread } from './device-thread.ts';
import { devices, type Deed, type DeviceName, type Plan, type Target } from './plan.ts';
import type { RestoredServer } from './server-thread.ts';

/** A real server that is sometimes restored, and the devices of two people; used for many runs. */
export interface World extends AsyncDisposable {
  server: Remote<RestoredServer>;
  devices: Record<DeviceName, Remote<RestoredDeviceThread>>;
}

/** Data folders are in memory if possible: power cuts are not tested here. */
const memory = '/dev/shm';

export function startWorld(fault: PlantedFault | null = null): World {
  const here = (file: string): URL => new URL(file, import.meta.url);
  const root = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'benchbook-restores-'));
  const server = startThread<RestoredServer>(here('server-thread.ts'), { fault, root });
  const threads = devices.map((name, index) => ({
    name,
    ...startThread<RestoredDeviceThread>(here('device-thread.ts'), { fault, device: index + 1 }),
  }));
  return {
    server: server.thread,
    devices: Object.fromEntries(threads.map(({ name, thread }) => [name, thread])) as World['devices'],
    async [Symbol.asyncDispose]() {
      await Promise.all([...threads, server].map((one) => one.end()));
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** A written word. `person`: whose devices may contain it. */
export interface Word {
  text: string;
  person: 'ana' | 'ben' | 'carl';
  /** Title of the guide or page that it was written on. */
  on: string;
  kind: string;
  /** Device and part of the record. */
  place: string;
}

export interface Outcome {
  words: Word[];
  kept: Record<DeviceName, Kept>;
  stored: Awaited<ReturnType<RestoredServer['stored']>>;
  /** Texts of decisions before they were made. */
  decided: string[];
  log: string[];
}

const emails: Record<DeviceName, string> = {
  'ana-1': 'ana@example.com',
  'ana-2': 'ana@example.com',
  ben: 'ben@example.com',
};

/** Plays a plan; yields the state when all have reconnected, and again when every decision was made. */
export async function* runPlan(world: World, plan: Plan): AsyncGenerator<Outcome> {
  const { server } = world;
  const name = `m${plan.seed}`;
  await server.begin(name);
  const url = await server.address();
  for (const [index, device] of devices.entries())
    await world.devices[device].begin(plan.seed * 10 + index, url, emails[device]);
  const run = new Run(world, name);
  for (const deed of plan.deeds) await run.play(deed);
  for (const device of devices) await run.play({ by: device, do: 'return' });
  yield await run.outcome();
  const decided: string[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    const texts: string[] = [];
    for (const device of devices) texts.push(...(await world.devices[device].decideAll(plan.choices)));
    if (texts.length === 0) break;
    decided.push(...texts);
    await run.rest();
  }
  yield { ...(await run.outcome()), decided };
}

class Run {
  readonly #world: World;
  readonly #page: string;
  readonly #titles: string[];
  readonly #words: Word[] = [];
  readonly #lost = new Set<string>();
  readonly log: string[] = [];
  #hasBackup = false;

  constructor(world: World, name: string) {
    this.#world = world;
    this.#page = `Page ${name}`;
    this.#titles = [`Guide ${name}`];
  }

  async play(deed: Deed): Promise<void> {
    const word = `w${this.log.length}x${this.#titles[0]?.slice(6)}`;
    const done = await this.#play(deed, word);
    this.log.push(`${JSON.stringify(deed)}${done === '' ? '' : ` ${done}`}`);
  }

  /** Everyone online waits until nothing moves: each device's calls reach the others. */
  async rest(): Promise<void> {
    for (let turn = 0; turn < 2; turn += 1)
      await Promise.all(devices.map((name) => this.#world.devices[name].settle()));
  }

  async outcome(): Promise<Outcome> {
    await this.rest();
    const kept = await Promise.all(
      devices.map(async (name) => [name, await this.#world.devices[name].kept()] as const),
    );
    const stored = await this.#world.server.stored();
    const words = this.#words.filter(({ text }) => !this.#lost.has(text));
    return { words, kept: Object.fromEntries(kept) as Outcome['kept'], stored, decided: [], log: this.log };
  }

  async #play(deed: Deed, word: string): Promise<string> {
    const { server } = this.#world;
    if (deed.by === 'all') return this.rest().then(() => '');
    if (deed.by === 'administrator') return this.#administer(deed);
    if (deed.by === 'carl') {
      const title = this.#titleOf(deed.on);
      const on = deed.do === 'guide' ? `Guide ${word}` : title;
      if (!(await server.carl(deed.do, title, word))) return '';
      if (deed.do === 'guide') this.#titles.push(on);
      this.#words.push({ text: word, person: 'carl', on, kind: `carl ${deed.do}`, place: word });
      return word;
    }
    const device = this.#world.devices[deed.by];
    if ('writing' in deed) {
      const { writing } = deed;
      const title = this.#titleOf(deed.on);
      const did = await device.write(writing, title, this.#page, word).catch((error: unknown) => {
        if (/Decide the|taken over|cannot be/.test(String(error))) return false;
        throw error;
      });
      if (!did) return '';
      const on = writing.do === 'page' ? this.#page : writing.do === 'guide' ? `Guide ${word}` : title;
      if (writing.do === 'guide') this.#titles.push(on);
      const person = deed.by === 'ben' ? 'ben' : 'ana';
      const place = 'place' in writing ? `${deed.by} ${writing.place} ${on}` : word;
      // Text that a person replaces may be lost before it was sent.
      if (writing.do === 'replace')
        for (const { text } of this.#words.filter((other) => other.place === place)) this.#lost.add(text);
      this.#words.push({ text: word, person, on, kind: writing.do, place });
      return word;
    }
    if (deed.do === 'leave') await device.disconnect();
    else if (deed.do === 'deafen') await device.deafen();
    else if (deed.do === 'restart') await device.restart();
    else await device.connect();
    return '';
  }

  async #administer(deed: Extract<Deed, { by: 'administrator' }>): Promise<string> {
    if (deed.do === 'back-up') {
      await this.#world.server.backUp();
      this.#hasBackup = true;
      for (const word of this.#words) this.#backedUp.add(word.text);
      return '';
    }
    if (!this.#hasBackup) return '';
    await this.#world.server.restore(deed.how);
    // Text written only on the server after the backup cannot be restored.
    for (const { text, person } of this.#words)
      if (person === 'carl' && !this.#backedUp.has(text)) this.#lost.add(text);
    return '';
  }

  readonly #backedUp = new Set<string>();

  #titleOf(on: Target): string {
    return (on === 'newest' ? this.#titles.at(-1) : this.#titles[on % this.#titles.length]) ?? '';
  }
}
