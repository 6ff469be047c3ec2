import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';

import type { Guide } from '#shared/model/guide-record.ts';
import { must } from '#shared/must.ts';
import { plantHere, type PlantedFault } from '#test/support/planted-fault.ts';
import type { TestServer } from '#test/support/server.ts';

import { serveCalls } from '../worker-calls.ts';

const { fault, root } = workerData as { fault: PlantedFault | null; root: string };
if (fault?.where === 'server') plantHere(fault);
const { runCli } = await import('#server/cli/program.ts');
const { startServer } = await import('#test/support/server.ts');

const [dataDir, backup, pristine] = [join(root, 'data'), join(root, 'backup'), join(root, 'pristine')];
// Responses are checked against their contract elsewhere.
const startAt = (port: number): Promise<TestServer> => startServer({ dataDir, port, checked: false });
let server = await startAt(0);
const port = Number(new URL(server.url).port);
await server.category('Radio');
const [ana, , carl] = await Promise.all(
  ['Ana', 'Ben', 'Carl'].map((name) => server.person(name, ['User', 'Author', 'Moderator'])),
);
copyTo(pristine);

/** Copies the data folder of the running server. */
function copyTo(folder: string): void {
  server.services.storage.checkpoint();
  rmSync(folder, { recursive: true, force: true });
  cpSync(dataDir, folder, { recursive: true });
}

function putBack(folder: string): void {
  rmSync(dataDir, { recursive: true });
  cpSync(folder, dataDir, { recursive: true });
}

async function restart(before: () => Promise<void> | void): Promise<void> {
  // Like a power cut: without a shutdown.
  server.app.server.closeAllConnections();
  await server[Symbol.asyncDispose]();
  await before();
  server = await startAt(port);
}

async function call<T>(token: string, method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${server.url}/api/2.0${path}`, {
    method,
    headers: { Authorization: `api ${token}`, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
  return (text === '' ? null : JSON.parse(text)) as T;
}

let isPristine = true;
const methods = {
  address: async () => server.url,
  /** A server in its first state, with a guide of Ana's and a page. `name` is part of both titles. */
  async begin(name: string): Promise<{ guideid: number; wikiid: number }> {
    if (!isPristine) await restart(() => putBack(pristine));
    isPristine = false;
    const { token } = must(ana, 'Ana');
    const { guideid, steps } = await call<Guide>(token, 'POST', '/guides', {
      category: 'Radio',
      type: 'repair',
      title: `Guide ${name}`,
      public: true,
      introduction: 'Begin here.',
      summary: 'Short',
      steps: ['One', 'Two'].map((title) => ({ title, lines: [{ text: `Do ${title}.` }] })),
    });
    await call(token, 'POST', `/step_forms/${steps[0]?.stepid}`, {
      fields: [{ field_type: 'Text Input', label: 'Serial' }],
    });
    const page = await call<{ wikiid: number }>(token, 'POST', '/wikis', {
      namespace: 'INFO',
      title: `Page ${name}`,
      contents: 'Page text.',
    });
    return { guideid, wikiid: page.wikiid };
  },
  /** Carl's action on the guide with this title; skipped if it is gone. */
  async carl(
    what: 'replace' | 'append' | 'comment' | 'guide',
    title: string,
    word: string,
  ): Promise<boolean> {
    const { token } = must(carl, 'Carl');
    if (what === 'guide') {
      const body = { category: 'Radio', type: 'repair', title: `Guide ${word}`, public: true };
      await call(token, 'POST', '/guides', body);
      return true;
    }
    const guideid = await idOf(title);
    if (guideid === undefined) return false;
    if (what === 'comment') await call(token, 'POST', `/comments/guide/${guideid}`, { text: word });
    else await change(token, guideid, (summary) => (what === 'replace' ? word : `${summary} ${word}`));
    return true;
  },
  async backUp(): Promise<void> {
    copyTo(backup);
  },
  async restore(how: 'command' | 'files'): Promise<void> {
    await restart(async () => {
      if (how === 'files') return putBack(backup);
      const said: string[] = [];
      const say = (line: string): void => void said.push(line);
      const terminal = { env: {}, out: say, err: say, input: async () => '' };
      const code = await runCli(['restore', backup, '--data', dataDir], terminal);
      if (code !== 0) throw new Error(said.join('\n'));
      for (const name of said.join('\n').matchAll(/kept in (\S+);/g))
        rmSync(name[1] ?? '', { recursive: true });
    });
  },
  /** All stored data, for the checks. */
  async stored() {
    const { reader } = server.services.storage;
    const documents = await reader.selectFrom('documents').select(['collection', 'id', 'body']).execute();
    const tags = await reader.selectFrom('tags').select('name').execute();
    const versions = await reader.selectFrom('guide_revisions').select('body').execute();
    const pages = await reader.selectFrom('wiki_revisions').select('body').execute();
    return {
      documents,
      past: [...tags.map(({ name }) => name), ...[...versions, ...pages].map(({ body }) => body)],
    };
  },
};
export type RestoredServer = typeof methods;

/** Another person may save between reading and writing. */
async function change(token: string, guideid: number, next: (summary: string) => string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const { revisionid, summary } = await call<Guide>(token, 'GET', `/guides/${guideid}`);
    const path = `/guides/${guideid}?revisionid=${revisionid}`;
    try {
      return await call<void>(token, 'PATCH', path, { summary: next(summary) });
    } catch (error) {
      if (tries > 5 || !String(error).includes(': 409 ')) throw error;
    }
  }
}

async function idOf(title: string): Promise<number | undefined> {
  const row = await server.services.storage.reader
    .selectFrom('guides')
    .select('guideid')
    .where('title', '=', title)
    .where('deleted', '=', 0)
    .where('public', '=', 1)
    .executeTakeFirst();
  return row?.guideid;
}

serveCalls(methods);
