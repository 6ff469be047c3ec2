import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';

import { contextForJob } from '#server/core/job.ts';
import { addMember, removeMember } from '#server/features/teams/members.ts';
import { must } from '#shared/must.ts';
import { forgetDatabaseOf } from '#test/support/postgres-databases.ts';
import { copyDataFolder } from '#test/support/raw-database.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { sync } from '#test/support/sync-calls.ts';

import { ClientProgram, type NewCall, type Queued } from './client-program.ts';
import { FailingProxy } from './failing-proxy.ts';

/** A server, a proxy and a client for one scenario. The client acts for Ben; Ana works on the server directly. */
export class World implements AsyncDisposable {
  readonly client: ClientProgram;
  readonly proxy: FailingProxy;
  readonly #root: string;
  #server: TestServer;
  ana: TestPerson;
  ben: TestPerson;
  #token: string;

  private constructor(
    command: readonly string[],
    {
      root,
      server,
      proxy,
      ana,
      ben,
    }: Pick<World, 'proxy' | 'ana' | 'ben'> & { root: string; server: TestServer },
  ) {
    this.client = new ClientProgram(command);
    this.proxy = proxy;
    this.#root = root;
    this.#server = server;
    this.ana = ana;
    this.ben = ben;
    this.#token = ben.token;
  }

  static async create(command: readonly string[]): Promise<World> {
    const root = mkdtempSync(join(tmpdir(), 'benchbook-conformance-'));
    const server = await startServer({ dataDir: join(root, 'data'), checked: false });
    await server.category('Bench Grinder');
    const [ana, ben] = [await server.person('Ana'), await server.person('Ben')];
    const proxy = await FailingProxy.start(server.url);
    return new World(command, { root, server, proxy, ana, ben });
  }

  get server(): TestServer {
    return this.#server;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client[Symbol.asyncDispose]();
    await this.proxy[Symbol.asyncDispose]();
    await this.#server[Symbol.asyncDispose]();
    rmSync(this.#root, { recursive: true, force: true });
    for (const folder of ['data', 'backup']) await forgetDatabaseOf(join(this.#root, folder));
  }

  /** Opens the client with Ben's token, or another one. */
  async open(token: string = this.#token): Promise<void> {
    this.#token = token;
    const { id } = await this.#server.services.identity.key();
    await this.client.open({ folder: join(this.#root, 'client'), url: this.proxy.url, token, server: id });
  }

  async reopen(): Promise<void> {
    await this.client.kill();
    await this.open();
  }

  /** A guide of Ana. */
  async guide(title: string, isPublic = true): Promise<{ guideid: number; revisionid: number }> {
    return this.ana.client.guides.create({
      body: { category: 'Bench Grinder', type: 'repair', title, public: isPublic },
    });
  }

  /** The calls that make a guide with a comment. */
  async queueGuide(title: string): Promise<{ guide: string; comment: string }> {
    const body = { category: 'Bench Grinder', type: 'repair', title, public: true };
    const lane = `guide ${title}`;
    const guide = await this.client.call({ lane, method: 'POST', path: '/guides', body });
    const comment = await this.client.call({
      lane,
      method: 'POST',
      path: `/comments/guide/tmp:${guide}`,
      body: { text: `About ${title}` },
    });
    return { guide, comment };
  }

  retitle(guideid: number, revisionid: number | 'previous', title: string): NewCall {
    return {
      lane: `guide ${guideid}`,
      method: 'PATCH',
      path: `/guides/${guideid}`,
      query: { revisionid: String(revisionid) },
      body: { title },
    };
  }

  /** The titles of all guides on the server that Ben may see. */
  async titles(): Promise<string[]> {
    const { rows } = await sync(
      this.#server,
      { ...this.ben, token: await this.session() },
      'bootstrap?protocol=5-6&collections=guides',
    );
    return rows.map(({ doc }) => (doc as { title: string }).title).toSorted();
  }

  /** Syncs, and expects success. */
  async mustSync(): Promise<void> {
    const synced = await this.client.sync();
    if (!synced.ok) throw new Error(`sync failed: ${synced.why}`);
  }

  /** Syncs, and expects a failure. */
  async mustFail(why: string): Promise<void> {
    const synced = await this.client.sync();
    const got = synced.ok ? 'ok' : synced.why;
    if (got !== why) throw new Error(`sync answered "${got}" instead of "${why}"`);
  }

  /** Expects that the copy equals what Ben may see on the server. */
  async mustEqual(): Promise<void> {
    const { rows } = await sync(
      this.#server,
      { ...this.ben, token: await this.session() },
      'bootstrap?protocol=5-6',
    );
    const wanted = new Map(rows.map(({ c, id, doc }) => [`${c}/${id}`, doc as unknown]));
    const records = new Map(Object.entries(await this.client.records()));
    for (const [name, doc] of wanted)
      if (!records.has(name)) throw new Error(`the copy lacks ${name}`);
      else if (!isDeepStrictEqual(records.get(name), doc)) throw new Error(`${name} is not as on the server`);
    for (const name of records.keys())
      if (!wanted.has(name)) throw new Error(`the copy has ${name}, which is not visible`);
  }

  /** Expects these calls in the queue, in any order. */
  async mustQueue(wanted: Record<string, string>): Promise<void> {
    const queue: Queued[] = await this.client.queue();
    const found = Object.fromEntries(queue.map(({ id, state }) => [id, state]));
    if (!isDeepStrictEqual(found, wanted))
      throw new Error(`the queue is ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
  }

  /** A session of Ben that the scenario does not touch. */
  #session: string | null = null;
  async session(): Promise<string> {
    this.#session ??= await this.newToken();
    return this.#session;
  }

  async newToken(): Promise<string> {
    const { issueToken } = await import('#server/features/tokens/store.ts');
    return contextForJob(this.#server.services, null, (ctx) =>
      issueToken(ctx, this.ben.userid, 'conformance'),
    );
  }

  /** Takes Ben out of a team, or puts him in. */
  async member(teamid: number, isMember: boolean): Promise<void> {
    await contextForJob(this.#server.services, null, (ctx) =>
      isMember ? addMember(ctx, teamid, this.ben.userid) : removeMember(ctx, teamid, this.ben.userid),
    );
  }

  /** A team with Ana, with whom the guide is shared. */
  async teamFor(guideid: number): Promise<number> {
    const teamid = await contextForJob(this.#server.services, null, async ({ db, seconds }) => {
      const team = { name: 'Workshop', description: '', created_date: seconds };
      return must(await db.insertInto('teams').values(team).returning('teamid').executeTakeFirst(), 'a team')
        .teamid;
    });
    await contextForJob(this.#server.services, null, (ctx) => addMember(ctx, teamid, this.ana.userid));
    const { status } = await this.ana.call('PUT', `/guides/${guideid}/teams/${teamid}`);
    if (status >= 300) throw new Error(`sharing answered ${status}`);
    return teamid;
  }

  /** Copies the data folder and its database while the server is stopped, like a backup. */
  async backup(): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
    await this.#copy('data', 'backup');
    await this.#start();
  }

  /** Puts the backup in place of the data, as after a broken disk. */
  async restore(): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
    await this.#copy('backup', 'data');
    await this.#start();
    this.#session = null;
  }

  async #copy(from: string, to: string): Promise<void> {
    const target = join(this.#root, to);
    rmSync(target, { recursive: true, force: true });
    await forgetDatabaseOf(target);
    await copyDataFolder(join(this.#root, from), target);
  }

  /** Starts the server again at the same address. */
  async #start(): Promise<void> {
    const port = Number(new URL(this.#server.url).port);
    this.#server = await startServer({ dataDir: join(this.#root, 'data'), checked: false, port });
  }
}
