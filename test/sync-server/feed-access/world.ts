import { expect } from 'vitest';

import { contextForJob } from '#server/core/job.ts';
import { addMember, removeMember } from '#server/features/teams/members.ts';
import type { FeedRow } from '#shared/sync/wire.ts';
import { must } from '#shared/must.ts';
import { newestCheckpoint, checkpointTextOf } from '#server/sync/feed-reader.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { sync } from '#test/support/sync-calls.ts';

export let server: TestServer;
export let admin: TestPerson;
export let lead: TestPerson;
let people = 0;

export async function startWorld(): Promise<void> {
  server = await startServer();
  await server.category('Bench Grinder');
  admin = await server.person('Mira', ['User', 'Admin']);
  lead = await server.person('Lea');
}

export async function endWorld(): Promise<void> {
  await server[Symbol.asyncDispose]();
}

/** A new person. */
export function somebody(): Promise<TestPerson> {
  people += 1;
  return server.person(`Person${people}`);
}

export async function newTeam(): Promise<number> {
  people += 1;
  const made = await admin.call('POST', '/teams', { name: `Team ${people}` });
  expect(made.status).toBe(201);
  const { teamid } = made.body as { teamid: number };
  await join(lead, teamid);
  return teamid;
}

export function join({ userid }: TestPerson, teamid: number): Promise<void> {
  return contextForJob(server.services, null, (ctx) => addMember(ctx, teamid, userid));
}

export function leave({ userid }: TestPerson, teamid: number): Promise<void> {
  return contextForJob(server.services, null, (ctx) => removeMember(ctx, teamid, userid));
}

/** A device that pulls what its person may see, like the app. */
export class PullingDevice {
  readonly #documents = new Map<string, string>();
  readonly removals = new Set<string>();
  readonly #person: TestPerson;
  #place: string;
  /** The record after which the initial load was cut. */
  #cut = 0;

  constructor(person: TestPerson, place: string) {
    this.#person = person;
    this.#place = place;
  }

  /** An empty device that receives changes from now on. */
  static async beginning(person: TestPerson): Promise<PullingDevice> {
    const { services } = server;
    return new PullingDevice(
      person,
      await checkpointTextOf(services, await newestCheckpoint(services.storage.reader)),
    );
  }

  /** A device that has loaded everything. */
  static async loaded(person: TestPerson): Promise<PullingDevice> {
    const { rows, checkpoint } = await sync(server, person, 'bootstrap?protocol=5-6');
    const device = new PullingDevice(person, checkpoint);
    for (const row of rows) device.#take(row);
    return device;
  }

  /** A device whose initial load was cut before these records. */
  static async cutBefore(person: TestPerson, missing: number): Promise<PullingDevice> {
    const { rows, checkpoint } = await sync(server, person, 'bootstrap?protocol=5-6');
    const device = new PullingDevice(person, checkpoint);
    const got = rows.slice(0, rows.length - missing);
    for (const row of got) device.#take(row);
    device.#cut = must(got.at(-1), 'a record').seq;
    return device;
  }

  /** Continues the initial load. */
  async goOn(): Promise<void> {
    const path = `bootstrap?protocol=5-6&since=${this.#place}&after=${this.#cut}`;
    const { rows, checkpoint } = await sync(server, this.#person, path);
    expect(checkpoint).toBe(this.#place);
    for (const row of rows) this.#take(row);
  }

  /** False when nothing more follows. */
  async page(limit: number): Promise<boolean> {
    const page = await sync(server, this.#person, `pull?protocol=5-6&since=${this.#place}&limit=${limit}`);
    for (const row of page.rows) this.#take(row);
    this.#place = page.checkpoint;
    return page.more;
  }

  async all(limit = 200): Promise<void> {
    while (await this.page(limit));
  }

  get names(): string[] {
    return [...this.#documents.keys()].toSorted();
  }

  /** Its records, however they arrived. */
  content(): Record<string, unknown> {
    return Object.fromEntries(this.names.map((name) => [name, JSON.parse(this.#documents.get(name) ?? '')]));
  }

  #take(row: FeedRow): void {
    const name = `${row.c}/${row.id}`;
    if (row.removed === true) {
      this.#documents.delete(name);
      this.removals.add(name);
    } else if (row.doc !== undefined) {
      const { uid: _uid, ...document } = row.doc as Record<string, unknown>;
      this.#documents.set(name, JSON.stringify(document));
    }
  }
}
