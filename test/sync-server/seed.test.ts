import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { must } from '#shared/must.ts';
import type { FeedRow } from '#shared/sync/wire.ts';
import { loadOwnContent } from '#server/demo-content/load.ts';
import { isEmpty, seedDemo } from '#server/seed.ts';
import { startServer, type TestServer } from '#test/support/server.ts';
import { jsonOf } from '#test/support/answer.ts';

const own = loadOwnContent();

describe('the demo seed', () => {
  let server: TestServer;
  const credentials: string[] = [];

  beforeAll(async () => {
    server = await startServer();
    await seedDemo(server.services, { credential: (line) => credentials.push(line) });
  });
  afterAll(async () => server[Symbol.asyncDispose]());

  async function read(path: string): Promise<Response> {
    const response = await fetch(new URL(path, server.url));
    return new Response(await response.arrayBuffer(), response);
  }

  async function signIn(userKey: string): Promise<{ authToken: string; privileges: string[] }> {
    const user = must(
      own.people.users.find((one) => one.key === userKey),
      userKey,
    );
    const line = must(
      credentials.find((one) => one.includes(user.email)),
      `the credentials of ${userKey}`,
    );
    const response = await fetch(`${server.url}/api/2.0/user/token`, {
      method: 'POST',
      body: JSON.stringify({ email: user.email, password: line.trim().split(/\s+/).at(-1) }),
    });
    expect(response.status).toBe(201);
    return jsonOf(response);
  }

  it('an anonymous reader can read every guide, its pictures and its document', async () => {
    const list = (await (await read('/api/2.0/guides?limit=200')).json()) as { guideid: number }[];
    expect(list).toHaveLength(63);
    for (const { guideid } of list) expect((await read(`/api/2.0/guides/${guideid}`)).status).toBe(200);
    for (const { guid } of own.pictures) {
      const picture = await read(`/igi/${guid}.thumbnail`);
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    }
    const guide = await server.anonymous.guides.read({ params: { guideid: 9001 } });
    const document = must(guide.documents[0], 'the document');
    expect((await read(document.download_url)).headers.get('content-type')).toBe('application/pdf');
    expect((await read(document.icon)).headers.get('content-type')).toMatch(/^image\/svg/);
  });

  it('pictures of recorded guides have a drawn placeholder', async () => {
    const guide = await server.anonymous.guides.read({ params: { guideid: 1 } });
    const pictures = guide.steps.flatMap((step) => (step.media.type === 'image' ? step.media.data : []));
    const picture = await read(must(pictures[0]?.standard, 'a picture'));
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    const avatar = await read(must(guide.author.image?.thumbnail, 'the picture of the author'));
    expect(avatar.status).toBe(200);
  });

  it('our own guides read as they were written', async () => {
    for (const written of own.guides) {
      const guide = await server.anonymous.guides.read({
        params: { guideid: written.guideid },
        query: { excludePrerequisiteSteps: '' },
      });
      const {
        author,
        comments: _comments,
        introduction_json: _tree,
        available_langids,
        ...rest
      } = JSON.parse(JSON.stringify(guide).replaceAll(server.url, '')) as typeof guide;
      const { author: writer, comments: _none, introduction_json: _written, ...expected } = written;
      const uncommented = rest.steps.map((step) => ({ ...step, comments: [] }));
      expect({ ...rest, steps: uncommented }).toEqual(expected);
      expect(author).toMatchObject(writer);
      expect(available_langids).toEqual([written.langid]);
    }
  });

  it('comments, forms, people, categories and the licence of the guides exist', async () => {
    const comments = (await (await read('/api/2.0/comments')).json()) as { replies: unknown[] }[];
    expect(comments.map((one) => one.replies.length)).toEqual(own.comments.map((one) => one.replies.length));
    const forms = (await (await read('/api/2.0/step_forms/guideid/9001')).json()) as { stepid: number }[];
    expect(forms.map((one) => one.stepid).toSorted((a, b) => a - b)).toEqual(
      own.stepForms.map((one) => one.stepid).toSorted((a, b) => a - b),
    );
    const ana = (await (await read('/api/2.0/users/9102')).json()) as object;
    expect(ana).toMatchObject({ username: 'Ana Ruiz', teams: [901], location: 'Hall 2' });
    const tree = (await (await read('/api/2.0/categories?includeStubs=true')).json()) as Record<
      string,
      object
    >;
    expect(tree).toMatchObject({
      Workshop: { 'Bench Grinder': {} },
      'CEB Press': { 'CEB Press - Modules': { Hopper: {} } },
    });
    const licensing = (await (await read('/api/2.0/wikis/INFO/Licensing')).json()) as {
      contents_rendered: string;
    };
    expect(licensing.contents_rendered).toContain('Open Source Ecology');
    expect(licensing.contents_rendered).toContain('https://creativecommons.org/licenses/by-sa/4.0/');
  });

  it('every guide has a category', async () => {
    const titles = new Set((await (await read('/api/2.0/categories/all')).json()) as string[]);
    const guides = (await (await read('/api/2.0/guides?limit=200')).json()) as { category: string }[];
    expect(guides.filter((guide) => !titles.has(guide.category))).toEqual([]);
  });

  it('each password is printed once, and everyone can sign in with it', async () => {
    expect(credentials).toHaveLength(own.people.users.length);
    expect((await signIn('ben')).privileges).toEqual(['User', 'Author']);
    expect((await signIn('maria')).privileges).toEqual(['User', 'Kiosk']);
    expect((await signIn('mira')).privileges).toEqual(['User', 'Author', 'Moderator', 'Admin']);
  });

  it('a new device receives all of it', async () => {
    const { authToken } = await signIn('ana');
    const response = await fetch(`${server.url}/sync/1/bootstrap`, {
      headers: { Authorization: `api ${authToken}` },
    });
    const lines = (await response.text()).trim().split('\n');
    const rows = lines.slice(1, -1).map((line) => JSON.parse(line) as FeedRow);
    const count = (collection: string): number => rows.filter((row) => row.c === collection).length;
    expect(count('guides')).toBe(63);
    expect(count('comments')).toBe(own.comments.length + own.comments.flatMap((one) => one.replies).length);
    expect(count('stepForms')).toBe(own.stepForms.length);
    expect(count('wikis')).toBeGreaterThan(80);
    expect(rows.find((row) => row.id === 'site')?.doc).toMatchObject({
      kind: 'site',
      name: 'Benchbook demo',
    });
  });

  it('the settings of the site stay for the next start', async () => {
    const again = await startServer({ dataDir: server.dataDir });
    expect(again.services.site).toMatchObject({
      name: 'Benchbook demo',
      guide_types: expect.arrayContaining(['how-to']),
    });
    await again.app.close();
  });

  it('only an empty database is filled', async () => {
    expect(await isEmpty(server.services)).toBe(false);
    await expect(seedDemo(server.services, { credential: () => undefined })).rejects.toThrow(/empty/);
  });
});
