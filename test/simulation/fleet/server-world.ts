import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createPrivateKey } from 'node:crypto';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import BetterSqlite3 from 'better-sqlite3';
import { sql } from 'kysely';

import { buildServer, type Server } from '#server/app.ts';
import { runCli } from '#server/cli/program.ts';
import { contextForJob } from '#server/core/job.ts';
import { issueToken } from '#server/features/tokens/store.ts';
import { editProfile } from '#server/features/users/edit.ts';
import { createAccount } from '#server/features/users/store.ts';
import { saveWiki, stubOf } from '#server/features/wikis/store.ts';
import type { Privilege } from '#shared/model/user.ts';
import { must } from '#shared/must.ts';
import { protocolRange, type ProtocolRange } from '#shared/sync/protocol.ts';
import { quickPasswords } from '#test/support/server.ts';

import { EventTime } from './event-time.ts';
import { maySee, type GuideRights, type Rights } from './rights.ts';
import { wordsIn } from './words.ts';
import { address, otherAddress, password, type Account } from './server-names.ts';
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

/** All stored data that the checks read. */
export interface Stored {
  /** SHA-256 of the pictures. */
  files: string[];
  documents: { collection: string; id: string; body: string }[];
  /** Earlier versions of guides and pages. */
  past: string[];
  /** Deleted replies to deleted comments. */
  deletedReplies: { text: string; answered: string }[];
  users: { userid: number; username: string; privileges: string[]; enabled: boolean }[];
  members: { teamid: number; userid: number }[];
  tags: string[];
  guideTags: { guideid: number; name: string }[];
  favorites: { userid: number; guideid: number }[];
  completions: { userid: number; guideid: number }[];
}

/** Virtual ms after which the server's time jumps. */
const leapMs = 5 * 60_000;

/** A whole server without sockets: requests are passed to it one at a time, with the time. */
export class ServerWorld {
  readonly #root: string;
  #time = new EventTime(0);
  #server: Server | null = null;
  #streams = new Map<number, Readable>();
  #last = 0;
  #chunks: Chunk[] = [];
  #seed = 0;
  #starts = 0;
  /** Commits until the server crashes; null: it does not. */
  #commitsLeft: number | null = null;
  #hasSnapshot = false;
  readonly #readers = new Map<number, string | null>();
  #protocols: ProtocolRange = protocolRange;
  #isOther = false;
  readonly #flaws: string[] = [];

  constructor(root: string) {
    this.#root = root;
  }

  get #dataDir(): string {
    return join(this.#root, 'data');
  }

  /** The files at the crash of the server. */
  get #snapshot(): string {
    return join(this.#root, 'snapshot');
  }

  /** The files of the other server, which is not at the address now. */
  get #aside(): string {
    return join(this.#root, 'aside');
  }

  get #backup(): string {
    return join(this.#root, 'backup');
  }

  /** A new server with only its accounts, a team, a category, guides and pages. */
  async begin(seed: number, now: number, people: number, guides: number): Promise<Account[]> {
    if (this.#server !== null) await this.#stop();
    this.#last = 0;
    this.#chunks = [];
    this.#readers.clear();
    rmSync(this.#root, { recursive: true, force: true });
    mkdirSync(this.#dataDir, { recursive: true });
    writeFileSync(join(this.#dataDir, 'server.key'), keyOf(seed), { mode: 0o600 });
    this.#seed = seed;
    this.#starts = 0;
    this.#protocols = protocolRange;
    this.#isOther = false;
    this.#words = null;
    this.#time = new EventTime(now);
    this.#flaws.length = 0;
    await this.#start();
    const accounts = await this.#accounts(people);
    await this.#content(accounts, guides);
    await settled();
    return accounts;
  }

  /** Passes a request to the server and returns its response, with the data of all streams meanwhile. */
  async exchange(asked: Asked, now: number, terms: Terms = { person: null }): Promise<Exchanged> {
    await this.#advance(now);
    this.#commitsLeft = terms.diesAfter ?? null;
    const url = new URL(asked.url);
    const result = await must(this.#server, 'a server').app.inject({
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
      const id = (this.#last += 1);
      this.#follow(id, stream);
      await settled();
      const chunks = this.#taken();
      this.#readers.set(id, terms.person);
      const leaks = chunks
        .filter((chunk) => chunk.stream === id)
        .flatMap(({ bytes }) => this.#leaksIn(Buffer.from(bytes).toString(), terms.person));
      return { answer: { status, headers, body: new Uint8Array() }, stream: id, chunks, leaks, died: false };
    }
    const parts: Buffer[] = [];
    for await (const part of stream) parts.push(part as Buffer);
    await settled();
    const body = new Uint8Array(Buffer.concat(parts));
    const died = await this.#dieIfPlanned();
    const chunks = this.#taken();
    const told = died ? [] : this.#leaksIn(Buffer.from(body).toString(), terms.person);
    const heard = chunks.flatMap(({ stream: id, bytes }) =>
      this.#leaksIn(Buffer.from(bytes).toString(), this.#readers.get(id) ?? null),
    );
    return { answer: { status, headers, body }, stream: null, chunks, leaks: [...told, ...heard], died };
  }

  /** These streams are no longer read. */
  async leave(streams: number[]): Promise<void> {
    for (const id of streams) {
      this.#streams.get(id)?.destroy();
      this.#streams.delete(id);
    }
    await settled();
  }

  /** A call by a client without a device; throws unless it succeeds or `mayFail`. */
  async call(
    token: string,
    method: string,
    path: string,
    body: object | null,
    now: number,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; body: unknown; chunks: Chunk[] }> {
    const bytes = body === null ? null : new Uint8Array(Buffer.from(JSON.stringify(body)));
    const asked: Asked = {
      id: 0,
      method,
      url: `${address}/api/2.0${path}`,
      headers: {
        authorization: `api ${token}`,
        ...(bytes === null ? {} : { 'content-type': 'application/json' }),
        ...headers,
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
    const [data, aside, held] = [this.#dataDir, this.#aside, join(this.#root, 'held')];
    renameSync(data, held);
    if (existsSync(aside)) renameSync(aside, data);
    else {
      mkdirSync(data, { recursive: true });
      writeFileSync(join(data, 'server.key'), keyOf(this.#seed + 7_000_000), { mode: 0o600 });
    }
    renameSync(held, aside);
    const isFirst = !existsSync(join(data, 'benchbook.sqlite'));
    await this.#start();
    this.#isOther = !this.#isOther;
    // The numbers of its accounts are the same, and belong to other people.
    if (isFirst) await this.#accounts(4, 'x');
    await settled();
    return this.#taken();
  }

  /** Changes the protocols of the server. */
  async speak(protocols: ProtocolRange): Promise<Chunk[]> {
    this.#protocols = protocols;
    return this.restart();
  }

  /** Makes the disk full, or frees it. */
  async fill(isFull: boolean): Promise<void> {
    const { writer } = must(this.#server, 'a server').services.storage;
    const { rows } = await sql<{ page_count: number }>`PRAGMA page_count`.execute(writer);
    const pages = isFull ? (rows[0]?.page_count ?? 1) : 1_000_000_000;
    await sql`PRAGMA max_page_count = ${sql.raw(String(pages))}`.execute(writer);
  }

  /** Changes an account, like an administrator on the command line. */
  async account(
    userid: number,
    edit: { enabled?: boolean; privileges?: Privilege[]; password?: string },
  ): Promise<Chunk[]> {
    const { services } = must(this.#server, 'a server');
    const { password: secret, ...rest } = edit;
    const hash = secret === undefined ? {} : { passwordHash: await services.passwords.hash(secret) };
    await contextForJob(services, null, (ctx) => editProfile(ctx, userid, { ...rest, ...hash }));
    await settled();
    return this.#taken();
  }

  /** A token for a person without a device. */
  newToken(userid: number): Promise<string> {
    const { services } = must(this.#server, 'a server');
    return contextForJob(services, null, (ctx) => issueToken(ctx, userid, 'test'));
  }

  /** Ends every session of a person but the one that the checks use. */
  async endTokens(userid: number): Promise<Chunk[]> {
    await contextForJob(must(this.#server, 'a server').services, null, (ctx) =>
      ctx.db.deleteFrom('tokens').where('userid', '=', userid).where('device', '!=', 'test').execute(),
    );
    await settled();
    return this.#taken();
  }

  /** Broken contracts since the last call. */
  async flaws(): Promise<string[]> {
    return this.#flaws.splice(0);
  }

  /** Restarts the process on the same files; `kill`: without a shutdown. */
  async restart(): Promise<Chunk[]> {
    await this.#stop();
    await this.#start();
    return this.#taken();
  }

  async backUp(): Promise<void> {
    must(this.#server, 'a server').services.storage.checkpoint();
    rmSync(this.#backup, { recursive: true, force: true });
    cpSync(this.#dataDir, this.#backup, { recursive: true, preserveTimestamps: true });
  }

  /** Restores the backup: with the command, or by copying the files. */
  async restore(how: 'command' | 'files'): Promise<Chunk[]> {
    await this.#stop();
    if (how === 'files') {
      rmSync(this.#dataDir, { recursive: true });
      cpSync(this.#backup, this.#dataDir, { recursive: true, preserveTimestamps: true });
    } else {
      const said: string[] = [];
      const say = (line: string): void => void said.push(line);
      const terminal = { env: {}, out: say, err: say, input: async () => '' };
      const code = await runCli(['restore', this.#backup, '--data', this.#dataDir], terminal);
      if (code !== 0) throw new Error(said.join('\n'));
      for (const name of said.join('\n').matchAll(/kept in (\S+);/g))
        rmSync(name[1] ?? '', { recursive: true, force: true });
    }
    await this.#start();
    return this.#taken();
  }

  async stored(): Promise<Stored> {
    const { reader } = must(this.#server, 'a server').services.storage;
    const images = await reader.selectFrom('images').select('sha256').execute();
    const documents = await reader.selectFrom('documents').select(['collection', 'id', 'body']).execute();
    const versions = await reader.selectFrom('guide_revisions').select('body').execute();
    const pages = await reader.selectFrom('wiki_revisions').select('body').execute();
    const deletedReplies = await reader
      .selectFrom('comments')
      .innerJoin('comments as parents', 'parents.commentid', 'comments.parentid')
      .select(['comments.text_raw as text', 'parents.text_raw as answered'])
      .where('comments.status', '=', 'deleted')
      .where('parents.status', '=', 'deleted')
      .execute();
    const users = await reader
      .selectFrom('users')
      .select(['userid', 'username', 'privileges', 'enabled'])
      .execute();
    const guideTags = await reader
      .selectFrom('guide_tags')
      .innerJoin('tags', 'tags.tagid', 'guide_tags.tagid')
      .select(['guideid', 'name'])
      .execute();
    return {
      files: images.flatMap(({ sha256 }) => sha256 ?? []),
      documents,
      past: [...versions, ...pages].map(({ body }) => body),
      deletedReplies,
      users: users.map(({ userid, username, privileges, enabled }) => ({
        userid,
        username,
        privileges: JSON.parse(privileges) as string[],
        enabled: enabled === 1,
      })),
      members: await reader.selectFrom('team_members').select(['teamid', 'userid']).execute(),
      tags: (await reader.selectFrom('tags').select('name').execute()).map(({ name }) => name),
      guideTags,
      favorites: await reader.selectFrom('favorites').select(['userid', 'guideid']).execute(),
      completions: await reader.selectFrom('completions').select(['userid', 'guideid']).execute(),
    };
  }

  /** Advances the server's time and runs its timers. */
  async advance(now: number): Promise<Chunk[]> {
    await this.#advance(now);
    return this.#taken();
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
      dataDir: this.#dataDir,
      now: () => this.#time.now(),
      randomBytes: (size) => Uint8Array.from({ length: size }, () => Math.floor(random() * 256)),
      passwords: quickPasswords(),
      protocols: this.#protocols,
      origins: this.#isOther ? [address] : [address, otherAddress],
      onBrokenAnswer: (flaw) => void this.#flaws.push(flaw),
    });
    await this.#server.app.ready();
    const { bus } = this.#server.services;
    const told = bus.committed.bind(bus);
    bus.committed = () => {
      told();
      this.#committed();
    };
    await settled();
  }

  #committed(): void {
    if (this.#commitsLeft === null) return;
    this.#commitsLeft -= 1;
    if (this.#commitsLeft > 0 || this.#hasSnapshot) return;
    this.#hasSnapshot = true;
    cpSync(this.#dataDir, this.#snapshot, { recursive: true, preserveTimestamps: true });
  }

  /** After a crash, the files are restored to the moment of the crash. */
  async #dieIfPlanned(): Promise<boolean> {
    this.#commitsLeft = null;
    if (!this.#hasSnapshot) return false;
    this.#hasSnapshot = false;
    await this.#stop();
    rmSync(this.#dataDir, { recursive: true });
    renameSync(this.#snapshot, this.#dataDir);
    await this.#start();
    return true;
  }

  /** Words of guides in a text, if the person may see no guide with that word. */
  #leaksIn(text: string, person: string | null): string[] {
    if (person === null) return [];
    const words = wordsIn(text);
    if (words.length === 0) return [];
    const readers = this.#readersOfWords();
    return words
      .filter((word) => readers.get(word)?.every((guide) => !maySee(readers.rights, person, guide)) === true)
      .map((word) => `${word} to ${person}`);
  }

  #words: WordsOfGuides | null = null;

  /** The stored guides that contain each word. */
  #readersOfWords(): WordsOfGuides {
    const { storage } = must(this.#server, 'a server').services;
    const version = storage.version();
    if (this.#words?.version === version) return this.#words;
    const words = new WordsOfGuides(version);
    const connection = new BetterSqlite3(join(this.#dataDir, 'benchbook.sqlite'), { readonly: true });
    try {
      const bodies = connection.prepare("SELECT body FROM documents WHERE collection = 'guides'").all() as {
        body: string;
      }[];
      for (const { body } of bodies) {
        const guide = JSON.parse(body) as GuideRights;
        for (const word of new Set(wordsIn(body))) words.set(word, [...(words.get(word) ?? []), guide]);
      }
      const users = connection.prepare('SELECT userid, username, privileges FROM users').all() as {
        userid: number;
        username: string;
        privileges: string;
      }[];
      words.rights.users = users.map((user) => ({
        ...user,
        privileges: JSON.parse(user.privileges) as string[],
      }));
      words.rights.members = connection
        .prepare('SELECT teamid, userid FROM team_members')
        .all() as Rights['members'];
    } finally {
      connection.close();
    }
    this.#words = words;
    return words;
  }

  async #stop(): Promise<void> {
    const server = must(this.#server, 'a server');
    this.#server = null;
    for (const stream of this.#streams.values()) stream.destroy();
    for (const id of this.#streams.keys())
      this.#chunks.push({ stream: id, bytes: new Uint8Array(), ends: true });
    this.#streams.clear();
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

  #follow(id: number, stream: Readable): void {
    this.#streams.set(id, stream);
    stream.on('data', (bytes: Buffer) => {
      if (this.#streams.has(id)) this.#chunks.push({ stream: id, bytes: new Uint8Array(bytes), ends: false });
    });
    stream.on('error', () => undefined);
    stream.on('end', () => {
      if (this.#streams.delete(id)) this.#chunks.push({ stream: id, bytes: new Uint8Array(), ends: true });
    });
  }

  #taken(): Chunk[] {
    return this.#chunks.splice(0);
  }

  /** `mark`: a prefix of names and addresses. */
  async #accounts(people: number, mark = ''): Promise<Account[]> {
    const { services } = must(this.#server, 'a server');
    const names = ['Admin', 'Plain', ...['Ana', 'Ben', 'Eva', 'Ole'].slice(0, people)].map(
      (name) => mark + name,
    );
    const accounts: Account[] = [];
    for (const name of names) {
      const privileges =
        name === 'Admin'
          ? ['User', 'Admin']
          : name === 'Plain' || name === 'Ana'
            ? ['User', 'Author', 'Moderator']
            : ['User', 'Author'];
      const email = `${name.toLowerCase()}@example.com`;
      const { userid, token } = await contextForJob(services, null, async (ctx) => {
        const made = await createAccount(ctx, {
          username: name,
          unique_username: name.toLowerCase(),
          email,
          passwordHash: await services.passwords.hash(password),
          privileges,
        });
        return { userid: made, token: await issueToken(ctx, made, 'test') };
      });
      accounts.push({ name, email, userid, token, privileges });
    }
    await contextForJob(services, null, async (ctx) => {
      const stub = stubOf({ namespace: 'CATEGORY', title: 'Radio', langid: 'en', parent: null, userid: 0 });
      await saveWiki(ctx, { ...stub, contents_raw: '' });
    });
    return accounts;
  }

  async #content(accounts: Account[], guides: number): Promise<void> {
    const now = this.#time.now();
    const made = async (token: string, path: string, body: object): Promise<{ [name: string]: unknown }> => {
      const { status, body: said } = await this.call(token, 'POST', path, body, now);
      if (status >= 300) throw new Error(`POST ${path}: ${status} ${JSON.stringify(said)}`);
      return said as { [name: string]: unknown };
    };
    const admin = must(accounts[0], 'an administrator');
    await made(admin.token, '/teams', { name: 'Repair' });
    for (let n = 1; n <= guides; n += 1) {
      const author = must(accounts[1 + (n % (accounts.length - 1))], 'an account');
      const { steps } = await made(author.token, '/guides', {
        category: 'Radio',
        type: 'repair',
        title: `Guide ${n}`,
        public: n % 4 !== 0,
        introduction: 'Turn the radio off.',
        summary: 'A short one',
        steps: ['One', 'Two', 'Three'].map((title) => ({
          title: `Step ${title}`,
          lines: [{ text: 'Remove the four red screws.' }, { text: 'Lift the cover.' }],
        })),
      });
      const [step] = steps as { stepid: number }[];
      if (n % 2 === 0)
        await made(author.token, `/step_forms/${step?.stepid}`, {
          fields: [
            { field_type: 'Text Input', label: 'Serial' },
            { field_type: 'Image', label: 'Photo' },
          ],
        });
    }
    for (const n of [1, 2, 3]) {
      const { token } = must(accounts[1], 'an account');
      await made(token, '/wikis', {
        namespace: 'INFO',
        title: `Page ${n}`,
        contents: 'What this page says.',
      });
    }
    const part = { type: 'screw', supplier: 'Parts Ltd', url: 'https://parts.example/' };
    const { token } = must(accounts[1], 'an account');
    await made(token, '/wikis', {
      namespace: 'ITEM',
      title: 'Screw',
      contents: 'Two lengths of it.',
      suppliers: ['4 mm', '6 mm'].map((length) => ({ ...part, 'part_#': length })),
    });
  }
}

/** The stored guides that contain each word, with their readers. */
class WordsOfGuides extends Map<string, GuideRights[]> {
  readonly version: number;
  readonly rights: Rights = { users: [], members: [] };

  constructor(version: number) {
    super();
    this.version = version;
  }
}

/** A key derived from the seed: it identifies the server. */
function keyOf(seed: number): string {
  const random = chanceOf(seed);
  const secret = Uint8Array.from({ length: 32 }, () => Math.floor(random() * 256));
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), secret]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function plainHeaders(
  headers: Record<string, number | string | string[] | undefined>,
): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) plain[name] = String(value);
  return plain;
}
