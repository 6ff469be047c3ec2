import { gunzipSync } from 'node:zlib';

import { sql } from 'kysely';

import { buildServer, type Server } from '#server/app.ts';
import { contextForJob } from '#server/core/job.ts';
import { issueToken } from '#server/features/tokens/store.ts';
import { editProfile } from '#server/features/users/edit.ts';
import type { Privilege } from '#shared/model/user.ts';
import { must } from '#shared/must.ts';
import { verifierCosts } from '#shared/rules/stations.ts';
import { protocolRange, type ProtocolRange } from '#shared/sync/protocol.ts';
import { smallPacks } from '#test/support/pack-calls.ts';
import { quickPasswords } from '#test/support/server.ts';

import { EventTime } from './event-time.ts';
import { createAccounts, createContent, type Content } from './server-content.ts';
import { ServerCrash } from './server-crash.ts';
import { ServerFiles } from './server-files.ts';
import { ServerLeaks } from './server-leaks.ts';
import { address, otherAddress, type Account } from './server-names.ts';
import { readStored, type Stored } from './server-stored.ts';
import { ServerStreams } from './server-streams.ts';
import { chanceOf, settled, giveSource } from './stillness.ts';
import type { Answered, Asked, Chunk } from './wire.ts';

/** The result of an exchange. */
export interface Exchanged {
  answer: Answered;
  /** The response continues as a stream of this number. */
  stream: number | null;
  chunks: Chunk[];
  /** Words that the person received and may not see. */
  leaks: string[];
  /** The server crashed meanwhile: the response is lost. */
  died: boolean;
}

/** Options of an exchange. */
export interface Terms {
  /** The person of the request; words in the response that they may not see are reported. */
  person: string | null;
  /** The server crashes right after this many commits. */
  diesAfter?: number;
}

/** Virtual ms after which the server's time jumps. */
const leapMs = 5 * 60_000;

/** Hashes of badges and PINs are cheap: their cost is not tested here. */
Object.assign(verifierCosts.pin, { memory: 8, passes: 1 });
Object.assign(verifierCosts.badge, { memory: 8, passes: 1 });

/** A whole server without sockets: requests are passed to it one at a time, with the time. */
export class ServerWorld {
  readonly #files: ServerFiles;
  readonly #crash: ServerCrash;
  readonly #leaks: ServerLeaks;
  readonly #streams = new ServerStreams((bytes, reader) =>
    this.#leaks.in(Buffer.from(bytes).toString(), reader),
  );
  /** Broken contracts. */
  readonly #flaws: string[] = [];
  #time = new EventTime(0);
  #server: Server | null = null;
  #seed = 0;
  #starts = 0;
  #protocols: ProtocolRange = protocolRange;
  #isOther = false;

  constructor(root: string) {
    this.#files = new ServerFiles(root);
    this.#crash = new ServerCrash(this.#files);
    this.#leaks = new ServerLeaks(this.#files.database, () => this.#running.services.storage.version());
  }

  get #running(): Server {
    return must(this.#server, 'a server');
  }

  /** A new server with only its accounts, a team, a category, guides and pages. */
  async begin(seed: number, now: number, people: number, content: Content): Promise<Account[]> {
    if (this.#server !== null) await this.#stop();
    this.#streams.begin();
    this.#files.begin(seed);
    this.#seed = seed;
    this.#starts = 0;
    this.#protocols = protocolRange;
    this.#isOther = false;
    this.#leaks.begin();
    this.#time = new EventTime(now);
    this.#flaws.length = 0;
    await this.#start();
    const accounts = await createAccounts(this.#running.services, people);
    const created = this.#time.now();
    await createContent(
      (token, method, path, body) => this.call(token, method, path, body, created),
      accounts,
      content,
    );
    await settled();
    return accounts;
  }

  /** Passes a request to the server and returns its response, with the data of all streams meanwhile. */
  async exchange(asked: Asked, now: number, terms: Terms = { person: null }): Promise<Exchanged> {
    await this.#advance(now);
    this.#crash.plan(terms.diesAfter ?? null);
    const url = new URL(asked.url);
    const result = await this.#running.app.inject({
      method: asked.method as 'GET',
      url: url.pathname + url.search,
      headers: { ...asked.headers, host: url.host },
      ...(asked.body === null ? {} : { payload: Buffer.from(asked.body) }),
      payloadAsStream: true,
    });
    const status = result.statusCode;
    const headers = plainHeaders(result.headers);
    const date = new Date(this.#time.now()).toUTCString();
    if (headers['date'] !== date)
      this.#flaws.push(`${asked.method} ${url.pathname}: dated ${headers['date']}, and it is ${date}`);
    const stream = result.stream();
    if (headers['content-type']?.startsWith('text/event-stream') === true) {
      const id = this.#streams.follow(stream, terms.person);
      await settled();
      const chunks = this.#streams.taken();
      const leaks = this.#streams.takenLeaks();
      return { answer: { status, headers, body: new Uint8Array() }, stream: id, chunks, leaks, died: false };
    }
    const parts: Buffer[] = [];
    for await (const part of stream) parts.push(part as Buffer);
    await settled();
    const body = new Uint8Array(Buffer.concat(parts));
    const died = await this.#dieIfPlanned();
    const chunks = this.#streams.taken();
    const told = died ? [] : this.#leaks.in(textOf(body, headers), terms.person);
    const leaks = [...told, ...this.#streams.takenLeaks()];
    return { answer: { status, headers, body }, stream: null, chunks, leaks, died };
  }

  /** These streams are no longer read. */
  async leave(streams: number[]): Promise<void> {
    this.#streams.leave(streams);
    await settled();
  }

  /** A call by a client without a device. `more`: further headers. */
  async call(
    token: string,
    method: string,
    path: string,
    body: object | null,
    now: number,
    more: Record<string, string> = {},
  ): Promise<{ status: number; body: unknown; chunks: Chunk[] }> {
    const bytes = body === null ? null : new Uint8Array(Buffer.from(JSON.stringify(body)));
    const asked: Asked = {
      id: 0,
      method,
      url: `${address}/api/2.0${path}`,
      headers: {
        authorization: `api ${token}`,
        ...(bytes === null ? {} : { 'content-type': 'application/json' }),
        ...more,
      },
      body: bytes,
    };
    const { answer, chunks } = await this.exchange(asked, now);
    const text = Buffer.from(answer.body).toString();
    return { status: answer.status, body: text === '' ? null : (JSON.parse(text) as unknown), chunks };
  }

  /** Another server replaces this one at its address, or this one returns. */
  async swap(): Promise<Chunk[]> {
    await this.#stop();
    const isFirst = this.#files.swap(this.#seed + 7_000_000);
    await this.#start();
    this.#isOther = !this.#isOther;
    // The numbers of its accounts are the same, and belong to other people.
    if (isFirst) await createAccounts(this.#running.services, 4, 'x');
    await settled();
    return this.#streams.taken();
  }

  /** Changes the protocols of the server. */
  async speak(protocols: ProtocolRange): Promise<Chunk[]> {
    this.#protocols = protocols;
    return this.restart();
  }

  /** Makes the disk full, or frees it. */
  async fill(isFull: boolean): Promise<void> {
    const { writer } = this.#running.services.storage;
    const { rows } = await sql<{ page_count: number }>`PRAGMA page_count`.execute(writer);
    const pages = isFull ? (rows[0]?.page_count ?? 1) : 1_000_000_000;
    await sql`PRAGMA max_page_count = ${sql.raw(String(pages))}`.execute(writer);
  }

  /** Changes an account, like an administrator on the command line. */
  async account(
    userid: number,
    edit: { enabled?: boolean; privileges?: Privilege[]; password?: string },
  ): Promise<Chunk[]> {
    const { services } = this.#running;
    const { password: secret, ...rest } = edit;
    const hash = secret === undefined ? {} : { passwordHash: await services.passwords.hash(secret) };
    await contextForJob(services, null, (ctx) => editProfile(ctx, userid, { ...rest, ...hash }));
    await settled();
    return this.#streams.taken();
  }

  /** A token for a person without a device. */
  newToken(userid: number): Promise<string> {
    return contextForJob(this.#running.services, null, (ctx) => issueToken(ctx, userid, 'test'));
  }

  /** Ends every session of a person but the one that the checks use. */
  async endTokens(userid: number): Promise<Chunk[]> {
    await contextForJob(this.#running.services, null, (ctx) =>
      ctx.db.deleteFrom('tokens').where('userid', '=', userid).where('device', '!=', 'test').execute(),
    );
    await settled();
    return this.#streams.taken();
  }

  /** Broken contracts since the last call. */
  async flaws(): Promise<string[]> {
    return this.#flaws.splice(0);
  }

  /** Restarts the process on the same files. */
  async restart(): Promise<Chunk[]> {
    await this.#stop();
    await this.#start();
    return this.#streams.taken();
  }

  async backUp(): Promise<void> {
    this.#running.services.storage.checkpoint();
    this.#files.backUp();
  }

  /** Restores the backup: with the command, or by copying the files. */
  async restore(how: 'command' | 'files'): Promise<Chunk[]> {
    await this.#stop();
    await this.#files.restore(how);
    await this.#start();
    return this.#streams.taken();
  }

  async stored(): Promise<Stored> {
    return readStored(this.#running.services.storage.reader);
  }

  /** Advances the server's time and runs its timers. */
  async advance(now: number): Promise<Chunk[]> {
    await this.#advance(now);
    return this.#streams.taken();
  }

  async #advance(now: number): Promise<void> {
    // Frequent timers would run a million times in weeks: after a jump they run once.
    if (now - this.#time.now() > leapMs) this.#time.passTo(now);
    while (this.#time.runNext(now)) await settled();
    this.#time.passTo(now);
  }

  async #start(): Promise<void> {
    this.#starts += 1;
    const random = chanceOf(this.#seed * 1000 + this.#starts);
    giveSource({ time: this.#time, random });
    this.#server = await buildServer({
      dataDir: this.#files.data,
      now: () => this.#time.now(),
      randomBytes: (size) => Uint8Array.from({ length: size }, () => Math.floor(random() * 256)),
      passwords: quickPasswords(),
      protocols: this.#protocols,
      origins: this.#isOther ? [address] : [address, otherAddress],
      // Packs of a few records, soon after each change, in this thread.
      packs: { ...smallPacks, restMs: 20_000 },
      onBrokenAnswer: (flaw) => void this.#flaws.push(flaw),
    });
    await this.#server.app.ready();
    const { bus } = this.#server.services;
    const told = bus.committed.bind(bus);
    bus.committed = () => {
      told();
      this.#crash.committed();
    };
    await settled();
  }

  /** After a crash, the files are restored to the moment of the crash. */
  async #dieIfPlanned(): Promise<boolean> {
    if (!this.#crash.end()) return false;
    await this.#stop();
    this.#files.restoreSnapshot();
    await this.#start();
    return true;
  }

  async #stop(): Promise<void> {
    const server = this.#running;
    this.#server = null;
    this.#streams.endAll();
    const now = this.#time.now();
    let isClosed = false;
    const closing = server.app.close().then(() => (isClosed = true));
    while (!isClosed) {
      await settled();
      if (!isClosed) this.#time.runNext(this.#time.now() + 1000);
    }
    await closing;
    this.#time.clear(now);
  }
}

/** The text of a body; packs are compressed. */
function textOf(body: Uint8Array, headers: Readonly<Record<string, string>>): string {
  const isWholePack = headers['content-type'] === 'application/gzip' && !('content-range' in headers);
  return (isWholePack ? gunzipSync(body) : Buffer.from(body)).toString();
}

function plainHeaders(
  headers: Record<string, number | string | string[] | undefined>,
): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) plain[name] = String(value);
  return plain;
}
