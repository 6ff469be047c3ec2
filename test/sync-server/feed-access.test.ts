import { setImmediate } from 'node:timers/promises';

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { contextForJob } from '#server/core/job.ts';
import { visibleAudiences, type Principal } from '#server/storage/feed.ts';
import { addMember, removeMember } from '#server/features/teams/members.ts';
import type { CourseAssignment, Course } from '#shared/model/course.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import type { FeedRow } from '#shared/sync/wire.ts';
import { must } from '#shared/must.ts';
import { newestPlace, placeText } from '#server/sync/feed-reader.ts';
import { visibleDocuments } from '#server/sync/visible-documents.ts';
import { importQuiz, lockQuestion } from '#test/support/quizzes.ts';
import { startServer, type TestPerson, type TestServer } from '#test/support/server.ts';
import { sync } from '#test/support/sync-calls.ts';

let server: TestServer;
let admin: TestPerson;
let lead: TestPerson;
let people = 0;

beforeAll(async () => {
  server = await startServer();
  await server.category('Bench Grinder');
  admin = await server.person('Mira', ['User', 'Admin']);
  lead = await server.person('Lea');
});

afterAll(() => server[Symbol.asyncDispose]());

/** A new person. */
function somebody(): Promise<TestPerson> {
  people += 1;
  return server.person(`Person${people}`);
}

async function newTeam(): Promise<number> {
  people += 1;
  const made = await admin.call('POST', '/teams', { name: `Team ${people}` });
  expect(made.status).toBe(201);
  const { teamid } = made.body as { teamid: number };
  await join(lead, teamid);
  return teamid;
}

function join({ userid }: TestPerson, teamid: number): Promise<void> {
  return contextForJob(server.services, null, (ctx) => addMember(ctx, teamid, userid));
}

function leave({ userid }: TestPerson, teamid: number): Promise<void> {
  return contextForJob(server.services, null, (ctx) => removeMember(ctx, teamid, userid));
}

/** A device that pulls what its person may see, like the app. */
class PullingDevice {
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
    return new PullingDevice(person, await placeText(services, await newestPlace(services.storage.reader)));
  }

  /** A device that has loaded everything. */
  static async loaded(person: TestPerson): Promise<PullingDevice> {
    const { rows, checkpoint } = await sync(server, person, 'bootstrap');
    const device = new PullingDevice(person, checkpoint);
    for (const row of rows) device.#take(row);
    return device;
  }

  /** A device whose initial load was cut before these records. */
  static async cutBefore(person: TestPerson, missing: number): Promise<PullingDevice> {
    const { rows, checkpoint } = await sync(server, person, 'bootstrap');
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
    const page = await sync(server, this.#person, `pull?since=${this.#place}&limit=${limit}`);
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

const audiences = ['none', 'first', 'second', 'public', 'gone'] as const;
type Move =
  | { kind: 'record'; record: number; to: (typeof audiences)[number] }
  | { kind: 'team'; team: number }
  | { kind: 'pull'; limit: number };
const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('record'),
      record: fc.nat({ max: 2 }),
      to: fc.constantFrom(...audiences),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('team'), team: fc.nat({ max: 1 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pull'), limit: fc.integer({ min: 1, max: 3 }) }) },
);

test('FEED-1 FEED-2 FEED-6 whatever changes between pulls, a device has what its person may see and receives nothing they never could', async () => {
  const person = await somebody();
  const teams = [await newTeam(), await newTeam()] as const;
  const principals: Record<(typeof audiences)[number], Principal[]> = {
    none: [],
    first: [`team:${teams[0]}`],
    second: [`team:${teams[1]}`],
    public: ['public'],
    gone: [],
  };
  let run = 0;
  const held = new Set<number>();
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 4, maxLength: 24 }), async (moves) => {
      run += 1;
      for (const team of held) await leave(person, must(teams[team], 'a team'));
      held.clear();
      const device = await PullingDevice.beginning(person);
      const ids = [0, 1, 2].map((record) => `${run}-${record}`);
      const at = new Map<string, (typeof audiences)[number]>();
      const ever = new Set<string>();
      const sees = (id: string): boolean => {
        const audience = at.get(id) ?? 'gone';
        if (audience === 'first' || audience === 'second') return held.has(audience === 'first' ? 0 : 1);
        return audience === 'public';
      };
      for (const one of moves) {
        if (one.kind === 'pull') await device.page(one.limit);
        else if (one.kind === 'team') {
          const teamid = must(teams[one.team], 'a team');
          await (held.delete(one.team) ? leave(person, teamid) : (held.add(one.team), join(person, teamid)));
        } else {
          const { to } = one;
          const id = must(ids[one.record], 'a record');
          await contextForJob(server.services, null, async ({ changes }) => {
            if (to === 'gone') changes.remove('stepForms', id);
            else
              changes.put(
                'stepForms',
                id,
                { stepid: 1, guideid: 1, form_revisionid: 1, fields: [] },
                principals[to],
              );
          });
          at.set(id, to);
        }
        for (const id of ids) if (sees(id)) ever.add(`stepForms/${id}`);
      }
      await device.all(2);
      const ours = (names: Iterable<string>): string[] =>
        [...names].filter((name) => name.startsWith(`stepForms/${run}-`)).toSorted();
      expect(ours(device.names)).toEqual(ids.filter(sees).map((id) => `stepForms/${id}`));
      expect(ours(device.removals).filter((name) => !ever.has(name))).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

test('FEED-2 a record that moved to a team and was deleted before the person joined is reported as removed', async () => {
  const person = await somebody();
  const [first, second] = [await newTeam(), await newTeam()];
  const put = (teamid: number): Promise<void> =>
    contextForJob(server.services, null, async ({ changes }) => {
      changes.put('stepForms', 'moved', { stepid: 1, guideid: 1, form_revisionid: 1, fields: [] }, [
        `team:${teamid}`,
      ]);
    });
  await join(person, second);
  const device = await PullingDevice.beginning(person);
  await put(second);
  await device.all();
  expect(device.names).toContain('stepForms/moved');
  await put(first);
  await contextForJob(server.services, null, async ({ changes }) => changes.remove('stepForms', 'moved'));
  await join(person, first);
  await leave(person, second);
  await device.all();
  expect(device.names).not.toContain('stepForms/moved');
});

type Call = [person: TestPerson, method: string, path: string, body?: unknown];

async function ok(...[person, method, path, body]: Call): Promise<unknown> {
  const answer = await person.call(method, path, body);
  expect([method, path, answer.status < 300, answer.status < 300 ? '' : answer.body]).toEqual([
    method,
    path,
    true,
    '',
  ]);
  return answer.body;
}

/** A person in a team with everything that a team can get, and the two changes that remove the access. */
interface Scene {
  reader: TestPerson;
  /** The records that the reader has at first and loses, by collection. */
  loses: string[];
  moves: [() => Promise<unknown>, () => Promise<unknown>];
}

/** A guide with dependent records: a form, a comment, tags, quizzes, and a suspended work order. */
async function guideWithAll(shared: { public: boolean } | { teamid: number }): Promise<Guide> {
  const guide = await lead.client.guides.create({
    body: {
      category: 'Bench Grinder',
      type: 'repair',
      title: 'Belt',
      public: 'public' in shared,
      steps: [{ lines: [{ text: 'Open' }] }],
    },
  });
  const { guideid, steps } = guide;
  const fields = [{ label: 'Torque', field_type: 'Text Input' }];
  await ok(lead, 'POST', `/step_forms/${must(steps[0], 'a step').stepid}`, { fields });
  await ok(lead, 'POST', `/comments/guide/${guideid}`, { text: 'Which bit?' });
  await ok(lead, 'PUT', `/guides/${guideid}/tag`, { tag: 'oil' });
  const quiz = await importQuiz(lead, [lockQuestion], { title: 'Lockout', passing_score: 50 });
  await ok(lead, 'POST', '/quizzes/associations', { guideid, quizids: [quiz.quizid] });
  const entry = await ok(lead, 'POST', '/work_log', { guideid, workorderid: 'WO-88' });
  await ok(lead, 'POST', `/work_log/${(entry as WorkLogEntry).entryid}/suspend`, {});
  if ('teamid' in shared) await ok(lead, 'PUT', `/guides/${guideid}/teams/${shared.teamid}`);
  return guide;
}

const ofGuide = ['comments', 'guides', 'stepForms', 'training', 'viewer', 'workLog'];

const scenes: Record<string, () => Promise<Scene>> = {
  'a guide is no longer shared with a team that somebody leaves': async () => {
    const [reader, teamid] = [await somebody(), await newTeam()];
    await join(reader, teamid);
    const { guideid } = await guideWithAll({ teamid });
    return {
      reader,
      loses: ofGuide,
      moves: [() => ok(lead, 'DELETE', `/guides/${guideid}/teams/${teamid}`), () => leave(reader, teamid)],
    };
  },
  'a guide is deleted that was shared with a team that somebody leaves': async () => {
    const [reader, teamid] = [await somebody(), await newTeam()];
    await join(reader, teamid);
    const { guideid, revisionid } = await guideWithAll({ teamid });
    return {
      reader,
      loses: ofGuide,
      moves: [
        () => ok(lead, 'DELETE', `/guides/${guideid}?revisionid=${revisionid}`),
        () => leave(reader, teamid),
      ],
    };
  },
  'a public guide becomes one of a team only, and somebody leaves the team': async () => {
    const [reader, teamid] = [await somebody(), await newTeam()];
    await join(reader, teamid);
    const { guideid, revisionid } = await guideWithAll({ public: true });
    await ok(lead, 'PUT', `/guides/${guideid}/teams/${teamid}`);
    return {
      reader,
      loses: ofGuide,
      moves: [
        () => ok(lead, 'DELETE', `/guides/${guideid}/public?revisionid=${revisionid}`),
        () => leave(reader, teamid),
      ],
    };
  },
  'a private guide is deleted, and a reader of everything is no longer an administrator': async () => {
    const reader = await somebody();
    await setPrivileges(reader, ['Admin']);
    const { guideid, revisionid } = await guideWithAll({ teamid: await newTeam() });
    return {
      reader,
      loses: ofGuide,
      moves: [
        () => ok(lead, 'DELETE', `/guides/${guideid}?revisionid=${revisionid}`),
        () => setPrivileges(reader, ['User']),
      ],
    };
  },
  'a course is no longer assigned to a team that somebody leaves': async () => {
    const [reader, teamid] = [await somebody(), await newTeam()];
    await join(reader, teamid);
    const { guideid } = await guideWithAll({ public: true });
    const stages = [{ doctype: 'guide', docid: guideid }];
    const { courseid } = (await ok(lead, 'POST', '/courses', { title: 'Safety', stages })) as Course;
    const assigned = await ok(lead, 'POST', `/courses/${courseid}/assignments`, { teamid });
    const { course_assignmentid } = assigned as CourseAssignment;
    return {
      reader,
      loses: ['training'],
      moves: [
        () => ok(lead, 'DELETE', `/courses/${courseid}/assignments/${course_assignmentid}`),
        () => leave(reader, teamid),
      ],
    };
  },
  'a quiz is deleted, and a learner becomes a kiosk': async () => {
    const reader = await somebody();
    const { quizid } = await importQuiz(lead, [lockQuestion], { title: 'Lockout', passing_score: 50 });
    return {
      reader,
      loses: ['training'],
      moves: [
        () => ok(lead, 'POST', '/quizzes/delete', { quizids: [quizid] }),
        () => setPrivileges(reader, ['User', 'Kiosk']),
      ],
    };
  },
  'a prerequisite is no longer shared with a team that somebody leaves': async () => {
    const [reader, teamid] = [await somebody(), await newTeam()];
    await join(reader, teamid);
    const { guideid } = await guideWithAll({ teamid });
    await lead.client.guides.create({
      body: {
        category: 'Bench Grinder',
        type: 'repair',
        title: 'Frame',
        public: true,
        prerequisites: [guideid],
      },
    });
    return {
      reader,
      loses: ofGuide,
      moves: [() => ok(lead, 'DELETE', `/guides/${guideid}/teams/${teamid}`), () => leave(reader, teamid)],
    };
  },
};

async function setPrivileges({ userid }: TestPerson, privileges: string[]): Promise<void> {
  await ok(admin, 'PATCH', `/users/${userid}`, { privileges, current_password: 'a long password' });
}

const orders = {
  'first the record, then the access': [0, 1],
  'first the access, then the record': [1, 0],
} as const;

for (const [name, scene] of Object.entries(scenes))
  for (const [order, indexes] of Object.entries(orders)) {
    test(`FEED-2 FEED-6 between two pulls ${name}: ${order}`, async () => {
      const { reader, loses, moves } = await scene();
      const devices = [await PullingDevice.loaded(reader), await PullingDevice.loaded(reader)] as const;
      const before = devices[0].names;
      for (const index of indexes) await moves[index]();
      const after = await PullingDevice.loaded(reader);
      const lost = before.filter((one) => !after.names.includes(one));
      const collections = new Set(lost.map((one) => must(one.split('/')[0], 'a collection')));
      expect([...collections].toSorted()).toEqual(loses);
      await devices[0].all();
      await devices[1].all(1);
      for (const device of devices) expect(device.content()).toEqual(after.content());
    });

    test(`FEED-2 FEED-15 while a first load is cut ${name}: ${order}`, async () => {
      const { reader, moves } = await scene();
      const device = await PullingDevice.cutBefore(reader, 4);
      for (const index of indexes) await moves[index]();
      await device.goOn();
      await device.all(1);
      expect(device.content()).toEqual((await PullingDevice.loaded(reader)).content());
    });
  }

test.each(['of records', 'of access'])(
  'FEED-11 FEED-20 a page of moves %s carries at most a megabyte of documents, or one larger document',
  async (what) => {
    const person = await somebody();
    const teamid = await newTeam();
    const placeNow = async () =>
      placeText(server.services, await newestPlace(server.services.storage.reader));
    const before = await placeNow();
    const sizes = [400_000, 400_000, 400_000, 1_500_000, 10];
    await contextForJob(server.services, null, async ({ changes }) => {
      for (const [at, size] of sizes.entries()) {
        const document = { stepid: 1, guideid: 1, form_revisionid: 1, fields: [], title: 'x'.repeat(size) };
        const principal: Principal = what === 'of records' ? 'public' : `team:${teamid}`;
        changes.put('stepForms', `large-${what}-${at}`, document, [principal]);
      }
    });
    const place = what === 'of records' ? before : await placeNow();
    await join(person, teamid);
    const pages: number[][] = [];
    for (let since = place, more = true; more;) {
      const page = await sync(server, person, `pull?since=${since}&limit=200`);
      pages.push(
        page.rows
          .filter(({ c }) => c === 'stepForms')
          .map(({ doc }) => (doc as { title: string }).title.length),
      );
      ({ checkpoint: since, more } = page);
    }
    expect(pages.filter((page) => page.length > 0)).toEqual([
      [400_000, 400_000],
      [400_000],
      [1_500_000],
      [10],
    ]);
  },
);

test('FEED-20 an initial load reads a megabyte of documents at a time and yields in between', async () => {
  const teamid = await newTeam();
  const principal: Principal = `team:${teamid}`;
  const sizes = [400_000, 400_000, 400_000, 1_500_000, 10];
  const after = (await newestPlace(server.services.storage.reader)).seq;
  await contextForJob(server.services, null, async ({ changes }) => {
    for (const [at, size] of sizes.entries()) {
      const document = { stepid: 1, guideid: 1, form_revisionid: 1, fields: [], title: 'x'.repeat(size) };
      changes.put('stepForms', `loaded-${at}`, document, [principal]);
    }
  });
  const db = server.services.storage.reader;
  const visible = await visibleAudiences(db, [principal]);
  let isLoaded = false;
  let turns = 0;
  const others = (async () => {
    for (; !isLoaded; await setImmediate()) turns += 1;
  })();
  const read: number[] = [];
  for await (const lines of visibleDocuments(db, { visible, after, collections: ['stepForms'] }))
    read.push(lines.length);
  isLoaded = true;
  await others;
  expect(read).toEqual([2, 1, 1, 1]);
  expect(turns).toBeGreaterThanOrEqual(read.length);
});
