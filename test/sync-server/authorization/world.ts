import { sql } from 'kysely';

import type { Course } from '#shared/model/course.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import { must } from '#shared/must.ts';
import { makeKind } from '#server/features/omanual/make/make.ts';
import { contextForJob } from '#server/core/job.ts';
import { enqueueJob } from '#server/jobs/store.ts';
import { addDocument, addVideo } from '#server/features/media/files.ts';
import { addImage } from '#server/features/media/store.ts';
import { issueToken } from '#server/features/tokens/store.ts';
import { saveWiki, stubOf } from '#server/features/wikis/store.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { scorm12, zipOf } from '#test/support/training-packages.ts';
import { makeForm, stepAt } from '#test/support/workshop.ts';

import type { Ownership } from './row.ts';
import { written } from '#test/support/written.ts';

/** In the order of the statuses of a row. */
export const roles = [
  'anonymous',
  'user',
  'author',
  'moderator',
  'administrator',
  'owner',
  'kiosk',
  'approver',
] as const;
export type Role = (typeof roles)[number];
/** `writer` is a person outside the table who owns the records of others. */
type Actor = Role | 'writer';

/** Values for the parameters of a path. */
export type Ids = Record<string, number | string>;

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
    await sql`PRAGMA synchronous = OFF`.execute(world.server.services.storage.writer);
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

  /** A person's session of a quiz. */
  async #sessionOf(actor: Actor): Promise<Ids> {
    const answers = { quizid: this.quiz, response_json: {} };
    const { sessionid } = await this.as<{ sessionid: number }>(
      actor,
      'POST',
      '/quizzes/sessions/submit',
      answers,
    );
    return { sessionid };
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

  /** A guide of a person waiting for the approver's signature. */
  async #askApproval(author: Actor, teamid?: number): Promise<Ids> {
    const { userid } = this.person(author);
    const body = { category: 'Press', type: 'repair', title: 'Ram', author: userid, public: true };
    const { guideid, approval } = await this.admin<Guide>('POST', '/guides', body);
    if (teamid !== undefined) await this.admin('PUT', `/guides/${guideid}/teams/${teamid}`);
    const [request] = must(approval, 'the approval').requests;
    return { approval_requestid: must(request, 'the request').approval_requestid };
  }

  async #signAs(actor: Actor, approval_requestid: number): Promise<void> {
    const body = { decision: 'approve', password: 'a long password' };
    await this.as(actor, 'POST', `/approvals/request/sign/${approval_requestid}`, body);
  }

  /** A quiz, and a course stage about it assigned only to the helper. */
  async #addQuiz(): Promise<Ids> {
    const questions = [{ vendor_question_uid: 'lock', title: 'Whose lock?' }];
    const { quizid } = await this.admin<{ quizid: number }>('POST', '/quizzes', {
      title: 'Lockout',
      questions,
    });
    const stages = [{ doctype: 'quiz', docid: quizid }];
    const course = await this.admin<Course>('POST', '/courses', { title: 'Quizzes', stages });
    return { quizid, course_stageid: must(course.stages[0], 'a stage').course_stageid };
  }

  /** An archive made for a person. */
  async addArchive(actor: Actor): Promise<number> {
    const { userid } = this.person(actor);
    const archiveid = await contextForJob(this.server.services, null, (ctx) =>
      enqueueJob(ctx, {
        kind: makeKind,
        userid,
        input: {
          wanted: { guideids: [this.publicGuide] },
          media: 'links',
          base: 'http://127.0.0.1',
          title: 'Belt',
          filename: 'belt.omanual',
        },
      }),
    );
    await this.server.jobs.idle();
    return archiveid;
  }

  /** An archive made for a person, and an import created by them. */
  async #archivesOf(actor: Actor): Promise<Ids> {
    const { userid } = this.person(actor);
    const { importid } = await written(this.server.services, (tx) =>
      tx
        .insertInto('archive_imports')
        .values({
          userid,
          existing: 'skip',
          author: 'importer',
          visibility: 'archived',
          dry_run: 0,
          filename: 'belt.omanual',
          size: 10,
          received: 0,
          created_date: 0,
        })
        .returning('importid')
        .executeTakeFirstOrThrow(),
    );
    return { archiveid: await this.addArchive(actor), archiveImport: importid };
  }

  /** A module with a current version. */
  async #addModule(): Promise<{ id: number; importid: number }> {
    const modules = '/external_training_modules';
    const created = await this.admin<{ importid: number; external_training_moduleid: number }>(
      'POST',
      `${modules}/imports`,
      { title: 'Lockout' },
    );
    const { importid, external_training_moduleid: id } = created;
    const started = await this.server.app.inject({
      method: 'POST',
      url: `/api/2.0${modules}/imports/${importid}/start/byUpload`,
      headers: { authorization: `api ${this.person('administrator').token}` },
      payload: Buffer.from(zipOf(scorm12())),
    });
    if (started.statusCode !== 202) throw new Error(started.body);
    await this.server.jobs.idle();
    await this.admin('PUT', `${modules}/${id}/current`, { importid });
    return { id, importid };
  }

  async addTerm(): Promise<number> {
    const term = `Term ${this.next()}`;
    const change = { term, source_langid: 'en', translations: [] };
    const body = { entries: [change] };
    const entries = await this.admin<{ entryid: number; term: string }[]>(
      'PUT',
      '/translation_glossary/entries',
      body,
    );
    return must(
      entries.find((entry) => entry.term === term),
      term,
    ).entryid;
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
    this.#ids.set('public', { ...this.#ids.get('public'), ...(await this.#sessionOf('writer')) });
    this.#ids.set('team', { ...this.#ids.get('team'), ...(await this.#sessionOf('user')) });
    await this.#makeProcess();
    for (const [ownership, made] of [
      ['public', await this.#askApproval('writer')],
      ['team', await this.#askApproval('writer', team)],
      ['private', await this.#askApproval('writer')],
    ] as const)
      this.#ids.set(ownership, { ...this.#ids.get(ownership), ...made });
    await this.#signAs('approver', Number(this.#ids.get('public')?.['approval_requestid']));
    for (const role of roles.slice(1)) await this.#makeOwn(role);
    await this.#loseGuide();
  }

  async #makeGuides(team: number): Promise<void> {
    const picture = await this.#addFiles('writer');
    const others = {
      userid: this.person('writer').userid,
      email: 'writer@example.com',
      sso_userid: 'sso-writer',
    };
    await this.admin('PATCH', `/users/${others.userid}`, {
      sso_userid: others.sso_userid,
      current_password: 'a long password',
    });
    const shown = { public: true, image: picture['image'], documents: [picture['documentid']] };
    const posts = await this.#makePosts();
    const open = await this.#guideIds('writer', shown);
    this.publicGuide = Number(open['guideid']);
    const names = { namespace: 'CATEGORY', title: 'Bench Grinder' };
    const archives = await this.#archivesOf('writer');
    const records = { ...picture, ...open, ...others, ...names, ...posts, ...archives };
    this.#ids.set('public', { ...records, teamid: this.otherTeam });
    const shared = await this.#guideIds('writer', {}, team);
    this.#ids.set('team', { ...shared, teamid: team, userid: others.userid });
    const hidden = await this.#addFiles('writer');
    this.#ids.set('private', { ...(await this.#guideIds('writer', {})), ...hidden });
  }

  async #makePosts(): Promise<Ids> {
    const title = 'Belt';
    const story = { title, body: 'It held.' };
    const { storyid } = await this.as<{ storyid: number }>('writer', 'POST', '/stories', story);
    const news = { title, text: 'It held.' };
    const { postid } = await this.as<{ postid: number }>('writer', 'POST', '/posts', news);
    return { storyid, postid };
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
    const entryid = await this.startEntry(author, guideid);
    await this.suspend(author, entryid);
    return { ...(await this.#hangOn(author, guide)), entryid };
  }

  async #hangOn(author: Actor, guide: Guide): Promise<Ids> {
    const { guideid, revisionid } = guide;
    const form: StepForm = await makeForm(this.person('administrator'), guide);
    const path = `/guides/${guideid}/releases?revisionid=${revisionid}`;
    const { releaseid } = await this.admin<{ releaseid: number }>('POST', path, {});
    return {
      guideid,
      stepid: stepAt(guide, 0),
      form_revisionid: form.form_revisionid,
      field_revisionid: must(form.fields[0], 'a field').field_revisionid,
      releaseid,
      context: 'guide',
      contextid: guideid,
      commentid: await this.comment(author, guideid),
    };
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
    const records = await this.#hangOn(role, guide);
    const entryid = await this.startEntry(role, this.publicGuide);
    const names = { namespace: 'USER', title: String(userid), userid, email: `${role}@example.com` };
    const files = await this.#addFiles(role);
    const course = { ...(await this.course(userid)), id: this.module };
    const archives = await this.#archivesOf(role);
    const session = role === 'kiosk' ? {} : await this.#sessionOf(role);
    const approval = await this.#askApproval(role);
    const others = { ...files, ...course, ...archives, ...session, ...approval };
    this.#ids.set(`own:${role}`, { ...records, ...names, ...others, entryid, sso_userid: sso });
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

  async #addFiles(actor: Actor): Promise<Ids> {
    const { services } = this.server;
    const file = { filename: 'belt.pdf', size: 1, sha256: '0'.repeat(64) };
    const unmeasured = { duration: 0, width: 0, height: 0 };
    return contextForJob(services, this.person(actor).userid, async (ctx) => ({
      image: await addImage(ctx, { ...file, sha256: null, width: 4, height: 3, format: 'jpeg' }),
      documentid: await addDocument(ctx, file),
      videoid: await addVideo(ctx, { ...file, ...unmeasured, mime: 'video/mp4' }),
    }));
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
    this.glossaryEntry = await this.addTerm();
    const webhookid = await this.webhook();
    await this.admin('POST', `/webhooks/${webhookid}/test`, {});
    const deliveries = await this.admin<{ deliveryid: number }[]>('GET', `/webhooks/${webhookid}/deliveries`);
    this.module = (await this.#addModule()).id;
    const other = await this.#addModule();
    const quiz = await this.#addQuiz();
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
