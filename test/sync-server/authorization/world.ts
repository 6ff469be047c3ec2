import type { Guide } from '#shared/model/guide-record.ts';
import { must } from '#shared/must.ts';
import { contextForJob } from '#server/core/job.ts';
import { issueToken } from '#server/features/tokens/store.ts';
import { saveWiki, stubOf } from '#server/features/wikis/store.ts';
import { withoutDiskWaits } from '#test/support/database-settings.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';

import {
  addFiles,
  addModule,
  addOrder,
  addQuiz,
  addStations,
  addTerm,
  archivesOf,
  askApproval,
  addGuideRecords,
  makePosts,
  sessionOf,
  signAs,
  teamIds,
} from './records.ts';
import { roles, type Actor, type Ids, type Role } from './roles.ts';
import type { Ownership } from './row.ts';

const privilegesOf: Record<Exclude<Actor, 'anonymous'>, string[]> = {
  user: ['User'],
  author: ['User', 'Author'],
  moderator: ['User', 'Author', 'Moderator'],
  administrator: ['User', 'Author', 'Moderator', 'Admin'],
  owner: ['User'],
  kiosk: ['User', 'Kiosk'],
  approver: ['User'],
  writer: ['User', 'Author'],
};

/** A site with a person of every role, and records of every ownership. */
export class World implements AsyncDisposable {
  readonly server: TestServer;
  readonly #clock: { seconds: number };
  readonly people = new Map<Actor, TestPerson>();
  readonly #ids = new Map<string, Ids>();
  #counter = 0;
  #helper: TestPerson | undefined;
  glossaryEntry = 0;
  /** A training module that is assigned only through a course of one's own. */
  module = 0;
  quiz = 0;
  otherTeam = 0;
  publicGuide = 0;
  /** Pages with comments. */
  pages = { wiki: 0, info: 0 };

  private constructor(server: TestServer, clock: { seconds: number }) {
    this.server = server;
    this.#clock = clock;
  }

  static async make(): Promise<World> {
    const site = { releases: true, languages: ['en', 'de'], private_networks: ['127.0.0.0/8'] };
    const clock = { seconds: 0 };
    const now = (): number => Date.now() + clock.seconds * 1000;
    const world = new World(await startServer({ site, now }), clock);
    await withoutDiskWaits(world.server.services.storage);
    await world.#fill();
    return world;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
  }

  /** A person whom cells add, remove and share with. */
  get helper(): TestPerson {
    return must(this.#helper, 'the helper');
  }

  /** A new number. */
  next(): number {
    this.#counter += 1;
    return this.#counter;
  }

  person(actor: Actor): TestPerson {
    return must(this.people.get(actor), actor);
  }

  passSeconds(seconds: number): void {
    this.#clock.seconds += seconds;
  }

  /** The ids of the records for a cell. */
  ids(role: Role, ownership: Ownership): Ids {
    const common = this.#ids.get('common') ?? {};
    const shared = this.#ids.get(ownership === 'any' ? 'public' : ownership) ?? {};
    return { ...common, ...shared, ...this.#ids.get(`${ownership}:${role}`) };
  }

  /** A call that must succeed. */
  async as<T>(actor: Actor, method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.server.app.inject({
      method: method as 'GET',
      url: `/api/2.0${path}`,
      headers: { authorization: `api ${this.person(actor).token}` },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    if (response.statusCode >= 300) throw new Error(`${method} ${path} as ${actor}: ${response.body}`);
    return (response.body === '' ? undefined : JSON.parse(response.body)) as T;
  }

  admin<T>(method: string, path: string, body?: unknown): Promise<T> {
    return this.as<T>('administrator', method, path, body);
  }

  async token(actor: Actor): Promise<string> {
    const { userid } = this.person(actor);
    return contextForJob(this.server.services, null, (ctx) => issueToken(ctx, userid, 'second device'));
  }

  async comment(actor: Actor, guideid: number): Promise<number> {
    const made = await this.as<{ commentid: number }>(actor, 'POST', `/comments/guide/${guideid}`, {
      text: 'Hm',
    });
    return made.commentid;
  }

  async feedback(actor: Actor, stepid: number): Promise<number> {
    const body = { text: 'Unsafe', feedback: 'unsafe' };
    return (await this.as<{ commentid: number }>(actor, 'POST', `/comments/step/${stepid}`, body)).commentid;
  }

  async startEntry(actor: Actor, guideid: number): Promise<number> {
    const body = { guideid, workorderid: 'WO' };
    return (await this.as<{ entryid: number }>(actor, 'POST', '/work_log', body)).entryid;
  }

  async suspend(actor: Actor, entryid: number): Promise<void> {
    await this.as(actor, 'POST', `/work_log/${entryid}/suspend`, {});
  }

  async team(owner: Actor): Promise<number> {
    const body = { name: `Team ${this.next()}`, owner: this.person(owner).userid };
    return (await this.admin<{ teamid: number }>('POST', '/teams', body)).teamid;
  }

  async webhook(): Promise<number> {
    const body = { url: 'http://127.0.0.1:9/', events: ['guide.published'], enabled: false };
    return (await this.admin<{ webhookid: number }>('POST', '/webhooks', body)).webhookid;
  }

  /** Creates a session of a person, to be ended. */
  async session(userid: number): Promise<string> {
    const before = new Set(await this.#sessionsOf(userid));
    await this.server.session({ userid });
    return must(
      (await this.#sessionsOf(userid)).find((one) => !before.has(one)),
      'the session',
    );
  }

  async #sessionsOf(userid: number): Promise<string[]> {
    const sessions = await this.admin<{ sessionid: string }[]>('GET', `/users/${userid}/sessions`);
    return sessions.map(({ sessionid }) => sessionid);
  }

  /** A course with a module, assigned to a person. */
  async course(userid = this.helper.userid, docid = this.module): Promise<Ids> {
    const stages = [{ doctype: 'external_training_module', docid }];
    const made = { title: `Course ${this.next()}`, stages };
    const { courseid } = await this.admin<{ courseid: number }>('POST', '/courses', made);
    const path = `/courses/${courseid}/assignments`;
    const { course_assignmentid } = await this.admin<{ course_assignmentid: number }>('POST', path, {
      userid,
    });
    return { courseid, course_assignmentid };
  }

  /** A process that names the approver, and a category that uses it for new guides. */
  async #makeProcess(): Promise<void> {
    await this.server.category('Press');
    await this.server.category('Lathe');
    const stages = [{ name: 'Quality', userids: [this.person('approver').userid] }];
    const made = await this.admin<{ approval_processid: number }>('POST', '/approvals/process', {
      name: 'Quality',
      stages,
    });
    const { approval_processid } = made;
    const press = await this.admin<{ wikiid: number }>('GET', '/wikis/CATEGORY/Press');
    await this.admin('PUT', `/approvals/${press.wikiid}/${approval_processid}`);
    const { wikiid } = await this.admin<{ wikiid: number }>('GET', '/wikis/CATEGORY/Lathe');
    this.#ids.set('common', { ...this.#ids.get('common'), approval_processid, wikiid });
  }

  async #fill(): Promise<void> {
    const { server } = this;
    await server.category('Bench Grinder', undefined, 'A double grinder.');
    for (const [actor, privileges] of Object.entries(privilegesOf))
      this.people.set(actor as Actor, await server.person(actor, privileges));
    this.#helper = await server.person('helper');
    const team = await this.team('owner');
    this.otherTeam = await this.team('writer');
    for (const member of ['user', 'approver'] as const)
      await this.admin('PUT', `/teams/${team}/users/${this.person(member).userid}`, {});
    await this.#makeGuides(team);
    await this.#makeSiteRecords();
    await this.#makePages(team);
    this.#ids.set('public', { ...this.#ids.get('public'), ...(await sessionOf(this, 'writer')) });
    this.#ids.set('team', { ...this.#ids.get('team'), ...(await sessionOf(this, 'user')) });
    await this.#makeProcess();
    for (const [ownership, made] of [
      ['public', await askApproval(this, 'writer')],
      ['team', await askApproval(this, 'writer', team)],
      ['private', await askApproval(this, 'writer')],
    ] as const)
      this.#ids.set(ownership, { ...this.#ids.get(ownership), ...made });
    await signAs(this, 'approver', Number(this.#ids.get('public')?.['approval_requestid']));
    for (const role of roles.slice(1)) await this.#makeOwn(role);
    for (const [name, ids] of await addStations(this, team, roles.slice(1)))
      this.#ids.set(name, { ...this.#ids.get(name), ...ids });
    await this.#loseGuide();
  }

  async #makeGuides(team: number): Promise<void> {
    const picture = await addFiles(this, 'writer');
    const { userid } = this.person('writer');
    const others = { userid, email: 'writer@example.com', sso_userid: 'sso-writer' };
    await this.admin('PATCH', `/users/${others.userid}`, {
      sso_userid: others.sso_userid,
      current_password: 'a long password',
    });
    const shown = { public: true, image: picture['image'], documents: [picture['documentid']] };
    const posts = await makePosts(this);
    const open = await this.#guideIds('writer', shown);
    this.publicGuide = Number(open['guideid']);
    const names = { namespace: 'CATEGORY', title: 'Bench Grinder' };
    const archives = await archivesOf(this, 'writer');
    const records = { ...picture, ...open, ...others, ...names, ...posts, ...archives };
    this.#ids.set('public', { ...records, ...(await teamIds(this, this.otherTeam)) });
    const shared = await this.#guideIds('writer', {}, team);
    this.#ids.set('team', { ...shared, ...(await teamIds(this, team)), userid: others.userid });
    const hidden = await addFiles(this, 'writer');
    this.#ids.set('private', { ...(await this.#guideIds('writer', {})), ...hidden });
  }

  /** A guide with a form, a release, a comment and a suspended entry, all by its author. */
  async #guideIds(author: Actor, fields: object, teamid?: number): Promise<Ids> {
    const body = {
      category: 'Bench Grinder',
      type: 'repair',
      title: 'Belt',
      steps: [{ title: 'Open', lines: [{ text: 'Unplug it' }] }],
    };
    const guide = await this.as<Guide>(author, 'POST', '/guides', { ...body, ...fields });
    const { guideid } = guide;
    if (teamid !== undefined) await this.as(author, 'PUT', `/guides/${guideid}/teams/${teamid}`);
    const order = await addOrder(this, author, guideid);
    await this.suspend(author, order.entryid);
    return { ...(await addGuideRecords(this, author, guide)), ...order };
  }

  /** An administrator creates the guide, because a kiosk cannot. */
  async #makeOwn(role: Role): Promise<void> {
    const { userid } = this.person(role);
    const sso = `sso-${role}`;
    await this.admin('PATCH', `/users/${userid}`, { sso_userid: sso, current_password: 'a long password' });
    const guide = await this.admin<Guide>('POST', '/guides', {
      category: 'Bench Grinder',
      type: 'repair',
      title: 'Belt',
      author: userid,
      steps: [{ title: 'Open', lines: [{ text: 'Unplug it' }] }],
    });
    const records = await addGuideRecords(this, role, guide);
    const order = await addOrder(this, role, this.publicGuide);
    const names = { namespace: 'USER', title: String(userid), userid, email: `${role}@example.com` };
    const files = await addFiles(this, role);
    const course = { ...(await this.course(userid)), id: this.module };
    const archives = await archivesOf(this, role);
    const session = role === 'kiosk' ? {} : await sessionOf(this, role);
    const approval = await askApproval(this, role);
    const others = { ...files, ...course, ...archives, ...session, ...approval };
    this.#ids.set(`own:${role}`, { ...records, ...names, ...others, ...order, sso_userid: sso });
  }

  /** Entries that everyone held, of a guide now visible only to its author and administrators. */
  async #loseGuide(): Promise<void> {
    const { guideid } = await this.#guideIds('writer', { public: true });
    for (const role of roles.slice(1)) {
      const entryid = await this.startEntry(role, Number(guideid));
      await this.suspend(role, entryid);
      this.#ids.set(`lost:${role}`, { entryid });
    }
    this.#ids.set('lost', { entryid: must(this.#ids.get('lost:user')?.['entryid'], 'an entry') });
    const { revisionid } = await this.admin<Guide>('GET', `/guides/${guideid}`);
    await this.admin('DELETE', `/guides/${guideid}/public?revisionid=${revisionid}`);
  }

  /** Pages about people and the team. */
  async #makePages(team: number): Promise<void> {
    const pages = roles.slice(1).map((role) => ['USER', String(this.person(role).userid)] as const);
    await contextForJob(this.server.services, null, async (ctx) => {
      for (const [namespace, title] of [...pages, ['TEAM', String(team)] as const])
        await saveWiki(ctx, stubOf({ namespace, title, langid: 'en', parent: null, userid: 0 }));
      const page = async (namespace: 'WIKI' | 'INFO'): Promise<number> => {
        const stub = stubOf({ namespace, title: 'Torque table', langid: 'en', parent: null, userid: 0 });
        return (await saveWiki(ctx, stub)).wikiid;
      };
      this.pages = { wiki: await page('WIKI'), info: await page('INFO') };
    });
    this.#ids.set('team', { ...this.#ids.get('team'), namespace: 'TEAM', title: String(team) });
  }

  async #makeSiteRecords(): Promise<void> {
    this.glossaryEntry = await addTerm(this);
    const webhookid = await this.webhook();
    await this.admin('POST', `/webhooks/${webhookid}/test`, {});
    const deliveries = await this.admin<{ deliveryid: number }[]>('GET', `/webhooks/${webhookid}/deliveries`);
    this.module = (await addModule(this)).id;
    const other = await addModule(this);
    const quiz = await addQuiz(this);
    this.quiz = Number(quiz['quizid']);
    this.#ids.set('common', {
      ...other,
      ...quiz,
      ...(await this.course(this.helper.userid, other.id)),
      webhookid,
      deliveryid: must(deliveries[0], 'a delivery').deliveryid,
      appid: 'nothing',
      entryid: 1,
      search: 'writer',
      query: 'belt',
      categoryname: 'Bench Grinder',
      imageids: '999999',
      jobID: 999_999,
    });
  }
}
