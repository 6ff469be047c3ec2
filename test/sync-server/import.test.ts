import { readdirSync, readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { must } from '#shared/must.ts';
import { importGuides, type CategoryTree } from '#server/features/guides/import/import-guides.ts';
import { startServer, type TestServer } from '#test/support/server.ts';

type Answer = { guideid: number; [key: string]: unknown };

const fixtures = new URL('../fixtures/', import.meta.url);

function readAnswer(path: string): Answer {
  return readFixture(path) as Answer;
}

function readFixture(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, fixtures), 'utf8'));
}

function recordedAnswers(): Answer[] {
  const ids = readdirSync(new URL('ose/guides/', fixtures)).map((name) => Number.parseInt(name, 10));
  return ids.toSorted((a, b) => a - b).map((id) => readAnswer(`ose/guides/${id}.json`));
}

const hosts =
  /https?:\/\/(?:opensourceecology\.dozuki\.com|(?:cdn\.)?workshop\.example|d3t0tbmlie281e\.cloudfront\.net(?=\/)|d3015z1jd0uox2\.cloudfront\.net|127\.0\.0\.1:\d+)/g;

/** Fields about the viewer or the site; the recordings are older than quizzes of guides. */
const notOfTheAnswer = new Set(['favorited', 'completed', 'available_langids', 'attachedQuiz']);

/** The response without fields that depend on server and viewer, and without fields that recordings lack. */
function comparable(answer: Answer): Record<string, unknown> {
  const text = JSON.stringify(answer)
    .replaceAll(hosts, '')
    .replaceAll(/\/igi\/(?:opensourceecology|workshop)\//g, '/igi/')
    .replaceAll('"/static/images/guide/NoImage_56x42.jpg"', '""');
  const { flags, ...rest } = JSON.parse(text) as Record<string, unknown>;
  const kept = Object.entries(rest).filter(([key]) => !key.startsWith('can_') && !notOfTheAnswer.has(key));
  const ids = (flags as (string | { flagid: string })[]).map((flag) =>
    typeof flag === 'string' ? flag : flag.flagid,
  );
  return { ...Object.fromEntries(kept), flags: ids };
}

async function readGuide(server: TestServer, guideid: number): Promise<Answer> {
  const response = await fetch(`${server.url}/api/2.0/guides/${guideid}`);
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
}

describe('importing recorded answers into an empty site', () => {
  const answers = recordedAnswers();
  let server: TestServer;

  beforeAll(async () => {
    server = await startServer();
    const categories = readFixture('ose/categories.json') as CategoryTree;
    const report = await importGuides(server.services, answers, { categories });
    expect(report).toMatchObject({ ids: 'keep', failed: [], skipped: [] });
    expect(report.imported).toHaveLength(61);
  });
  afterAll(async () => server[Symbol.asyncDispose]());

  it.each(answers.map((answer) => [answer.guideid, answer] as const))(
    'guide %i reads as it was recorded',
    async (guideid, answer) => {
      expect(comparable(await readGuide(server, guideid))).toEqual(comparable(answer));
    },
  );
});

describe('importing an answer with every possible field', () => {
  const drain = readAnswer('constructed/guides/7001.json');
  const replace = readAnswer('constructed/guides/7002.json');

  it('the guide and its prerequisite read as they were recorded', async () => {
    await using server = await startServer();
    await importGuides(server.services, [drain]);
    const report = await importGuides(server.services, [replace]);
    expect(report).toMatchObject({ ids: 'keep', failed: [], people: 1, comments: 3 });
    expect(comparable(await readGuide(server, 7001))).toEqual(comparable(drain));
    expect(comparable(await readGuide(server, 7002))).toEqual(comparable(replace));
  });

  it('COMMENT-4 comments keep the titles that they came with, the newest first, under new numbers too', async () => {
    await using server = await startServer();
    const [comment] = replace['comments'] as { date: number; replies: object[] }[];
    const remark = must(comment, 'a comment');
    const comments = [
      { ...remark, commentid: 990, title: 'Draining', date: remark.date + 20, text_raw: 'Newest' },
      { ...remark, commentid: 980, title: 'Drained', date: remark.date + 10, text_raw: 'Newer' },
      { ...remark, title: '', text_raw: 'Oldest' },
    ];
    for (const ids of ['keep', 'map'] as const) {
      await importGuides(server.services, [{ ...drain, guideid: ids === 'keep' ? 7001 : 7009, comments }], {
        ids,
      });
      const found = (await server.anonymous.guides.list({})).at(-1);
      const { comments: read } = await server.anonymous.guides.read({
        params: { guideid: must(found, 'the guide').guideid },
      });
      expect(read.map(({ title, text_raw }) => [title, text_raw])).toEqual([
        ['Draining', 'Newest'],
        ['Drained', 'Newer'],
        [drain['title'], 'Oldest'],
      ]);
    }
  });

  it('MEDIA-13 media managers list an embedded page for the author of its guide', async () => {
    await using server = await startServer();
    await importGuides(server.services, [drain, replace]);
    const [ana, mira] = [await server.person('Ana'), await server.person('Mira', ['User', 'Admin'])];
    const embeds = (query = ''): Promise<unknown[]> =>
      ana.call('GET', `/user/media/embeds${query}`).then((answer) => answer.body as unknown[]);
    expect(await embeds()).toEqual([]);
    const { revisionid } = await readGuide(server, 7002);
    const handed = await mira.call('PATCH', `/guides/7002?revisionid=${String(revisionid)}`, {
      author: ana.userid,
    });
    expect(handed.status).toBe(200);
    const guide = await ana.client.guides.read({ params: { guideid: 7002 } });
    const embed = must(
      guide.steps.flatMap(({ media }) => (media.type === 'embed' ? [media.data] : [])).at(0),
      'an embedded page',
    );
    expect(embed).toMatchObject({ url: 'https://www.youtube.com/watch?v=abcdefghijk' });
    expect(await embeds()).toEqual([
      {
        ...embed,
        type: 'GuideEmbedObject',
        imageid: null,
        mini: null,
        thumbnail: null,
        standard: null,
        medium: null,
        view_url: 'https://www.youtube.com/watch?v=abcdefghijk',
        filename: embed.title,
        provider: 'YouTube',
        date: guide.created_date,
      },
    ]);
    expect(await embeds('?offset=1')).toEqual([]);
  });

  it('new guides get numbers above the imported ones', async () => {
    await using server = await startServer();
    await importGuides(server.services, [drain, replace]);
    const ana = await server.person('Ana');
    const made = await ana.client.guides.create({
      body: { category: 'Air Compressor', type: 'repair', steps: [{ lines: [{ text: 'Look' }] }] },
    });
    expect(made.guideid).toBeGreaterThan(7002);
    expect(ana.userid).toBeGreaterThan(42);
    expect(made.revisionid).toBeGreaterThan(30230);
    expect(made.guide_revisionid).toBeGreaterThan(44);
    expect(must(made.steps[0], 'the step').stepid).toBeGreaterThan(71013);
    expect(must(made.steps[0]?.lines[0], 'the line').lineid).toBeGreaterThan(880011);
  });

  it('imported accounts cannot sign in and have no privileges of the other site', async () => {
    await using server = await startServer();
    const author = { ...(drain['author'] as object), privileges: ['User', 'Admin'] };
    await importGuides(server.services, [{ ...drain, author }]);
    const row = await server.services.storage.reader
      .selectFrom('users')
      .select(['email', 'password_hash', 'privileges', 'join_date', 'reputation'])
      .where('userid', '=', 42)
      .executeTakeFirst();
    expect(row).toEqual({
      email: null,
      password_hash: null,
      privileges: '["User"]',
      join_date: 1600000042,
      reputation: 12,
    });
  });

  it('MERIT-13 imported people keep their reputation, and their imported guides add nothing to it', async () => {
    await using server = await startServer();
    await importGuides(server.services, [drain]);
    const { reader } = server.services.storage;
    const merits = await reader.selectFrom('merits').select(['userid', 'kind', 'points']).execute();
    expect(merits).toEqual([{ userid: 42, kind: 'guide.published', points: 0 }]);
    const admin = await server.person('Mira', ['User', 'Author', 'Admin']);
    const params = { guideid: 7001 };
    const { revisionid } = await admin.client.guides.read({ params });
    await admin.call('DELETE', `/guides/7001/public?revisionid=${revisionid}`);
    const hidden = await admin.client.guides.read({ params });
    expect(hidden.public).toBe(false);
    await admin.call('PUT', `/guides/7001/public?revisionid=${hidden.revisionid}`);
    expect((await admin.client.guides.read({ params })).public).toBe(true);
    const author = await reader
      .selectFrom('users')
      .select('reputation')
      .where('userid', '=', 42)
      .executeTakeFirstOrThrow();
    expect(author.reputation).toBe(12);
  });

  it('HTML of another site is never stored in an embedded page', async () => {
    await using server = await startServer();
    const steps = (replace['steps'] as { media: { type: string; data: object } }[]).map((step) =>
      step.media.type === 'embed'
        ? {
            ...step,
            media: {
              ...step.media,
              data: { ...step.media.data, html: '<iframe src="https://evil.example/x"></iframe>' },
            },
          }
        : step,
    );
    const report = await importGuides(server.services, [drain, { ...replace, steps }]);
    expect(JSON.stringify(await readGuide(server, 7002))).not.toContain('evil.example');
    expect(report.notes).toContainEqual({
      guideid: 7002,
      notes: [expect.stringContaining('was left out')],
    });
  });

  it('answers that are no guides are reported, and the others are imported', async () => {
    await using server = await startServer();
    const report = await importGuides(server.services, [{ title: 'No id' }, drain, 'text']);
    expect(report.imported.map((one) => one.guideid)).toEqual([7001]);
    expect(report.failed.map((one) => one.index)).toEqual([0, 2]);
  });

  it('answers of older servers are accepted: numbers as decimals, false for nothing, flags as ids, missing fields', async () => {
    await using server = await startServer();
    const { type, category, title, guideid, author } = drain;
    const old = {
      type,
      category,
      title,
      guideid,
      author,
      revisionid: 12.0,
      modified_date: 1_500_000_000.75,
      subject: false,
      difficulty: null,
      flags: ['GUIDE_STARRED'],
      steps: [
        { stepid: 5, lines: [{ text_raw: 'Look', level: 0, lineid: null, bullet: 'pink' }], media: [] },
      ],
    };
    const report = await importGuides(server.services, [old]);
    expect(report.failed).toEqual([]);
    const guide = await readGuide(server, 7001);
    expect(guide).toMatchObject({
      modified_date: 1_500_000_000,
      subject: '',
      difficulty: '',
      flags: ['GUIDE_STARRED'],
      steps: [{ lines: [{ bullet: 'black', text_raw: 'Look' }], media: { type: 'image', data: [] } }],
    });
  });
});

describe('importing into a site that has guides', () => {
  const drain = readAnswer('constructed/guides/7001.json');
  const replace = readAnswer('constructed/guides/7002.json');

  /** A site whose own records have the numbers used in the recordings. */
  async function busySite(): Promise<TestServer> {
    const server = await startServer();
    await importGuides(server.services, [drain, replace], { site: 'first.example' });
    return server;
  }

  function renumbered(answer: Answer): Answer {
    const text = JSON.stringify(answer);
    const guids = [...text.matchAll(/(?:"guid":"|\/Document\/)(\w{16})/g)].map((match) => match[1] ?? '');
    const other = guids.reduce((all, guid) => all.replaceAll(guid, `Z${guid.slice(1)}`), text);
    return JSON.parse(
      other.replaceAll('lenavogt', 'lena.vogt.2').replaceAll('workshop.example', 'second.example'),
    ) as Answer;
  }

  it('imported records get new numbers, existing ones do not change, and links follow', async () => {
    await using server = await busySite();
    const before = [await readGuide(server, 7001), await readGuide(server, 7002)];
    const report = await importGuides(server.services, [renumbered(replace), renumbered(drain)]);
    expect(report).toMatchObject({ ids: 'map', failed: [] });
    const ids = new Map(report.imported.map((one) => [one.source, one.guideid]));
    const drainId = must(ids.get(7001), 'the id of the prerequisite');
    const replaceId = must(ids.get(7002), 'the id of the guide');
    expect(new Set([7001, 7002, drainId, replaceId]).size).toBe(4);

    const guide = await readGuide(server, replaceId);
    const prerequisite = await readGuide(server, drainId);
    const stepid = (prerequisite['steps'] as { stepid: number }[])[0]?.stepid;
    expect(guide['prerequisites']).toMatchObject([{ guideid: drainId }]);
    expect(guide['introduction_raw']).toBe(
      `First do [guide|${drainId}].\n\n* Pull the plug\n* Read [/Guide/Draining+the+Air+Compressor/${drainId}#s${stepid}|the first step] again`,
    );
    const steps = guide['steps'] as {
      lines: { text_raw: string }[];
      comments: { author: { userid: number } }[];
    }[];
    expect(steps[1]?.lines[0]?.text_raw).toBe(
      `Two screws, see [guide|${drainId}|the valve|stepid=${stepid}].`,
    );
    expect(idsIn(guide, before[1])).toEqual([]);
    expect([await readGuide(server, 7001), await readGuide(server, 7002)]).toEqual([
      { ...before[0] },
      { ...before[1] },
    ]);
  });

  it('links to guides that were not imported point to the other site', async () => {
    await using server = await busySite();
    const report = await importGuides(server.services, [renumbered(replace)]);
    const { guideid } = must(report.imported[0], 'the imported guide');
    const guide = await readGuide(server, guideid);
    expect(guide['prerequisites']).toEqual([]);
    expect(guide['introduction_raw']).toContain('[https://second.example/Guide/-/7001|Guide 7001]');
    expect(report.notes[0]?.notes).toContain('The prerequisite 7001 did not come along and was left out');
  });

  it('an interrupted import continues and imports nothing twice', async () => {
    await using server = await busySite();
    const first = await importGuides(server.services, [renumbered(drain)]);
    const second = await importGuides(server.services, [renumbered(replace), renumbered(drain)]);
    expect(second.skipped).toEqual([
      { source: 7001, guideid: must(first.imported[0], 'the first guide').guideid },
    ]);
    const guide = await readGuide(server, must(second.imported[0], 'the second guide').guideid);
    expect(guide['prerequisites']).toMatchObject([{ guideid: first.imported[0]?.guideid }]);
    const third = await importGuides(server.services, [renumbered(replace), renumbered(drain)]);
    expect(third).toMatchObject({ imported: [], people: 0, categories: [] });
  });
});

/** Numbers of steps, lines, pictures, documents, videos, comments and people that two guides share. */
function idsIn(guide: Answer, other: Answer | undefined): number[] {
  const ids = (answer: unknown): Set<number> =>
    new Set(
      [
        ...JSON.stringify(answer).matchAll(
          /"(?:stepid|lineid|id|documentid|videoid|commentid|userid|featured_documentid)":(\d+)/g,
        ),
      ].map((match) => Number(match[1])),
    );
  // A recorded video includes the number of its technical description, which we do not store.
  const technical = 612;
  const theirs = ids(other);
  return [...ids(guide)].filter((id) => theirs.has(id) && id !== technical);
}
