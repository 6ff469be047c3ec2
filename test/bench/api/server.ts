/** A server full of generated content in a separate process; prints its address and content on its first line. */
import sharp from 'sharp';

import { must } from '#shared/must.ts';
import { contextForJob } from '#server/core/job.ts';
import { Passwords } from '#server/features/tokens/passwords.ts';
import { saveWiki, stubOf } from '#server/features/wikis/store.ts';
import { startServer } from '#test/support/server.ts';

import { writeCorpus } from '../corpus.ts';
import { tellProcessor } from './tell-processor.ts';

/** The data that the load needs about the server. */
export interface Ground {
  url: string;
  token: string;
  credentials: { email: string; password: string };
  /** How many guides and categories there are. */
  guides: number;
  categories: number;
  /** People with work orders. */
  userids: number[];
  imagePath: string;
  entries: { entryid: number; field_revisionid: number; token: string }[];
}

const workerCount = 8;
/** Work orders of each worker, so that an order gets a realistic number of saves instead of thousands. */
const ordersOfOne = 32;

async function main(guides: number, categories: number): Promise<void> {
  // All load comes from one address.
  const limits = { anonymousPerMinute: 1e9, devicePerMinute: 1e9 };
  const server = await startServer({ checked: false, passwords: new Passwords(), limits });
  const ana = await server.person('Ana');
  // Another person signs in, because the first of fifty sessions of a person ends.
  await server.person('Ben');
  const workers = [ana];
  for (let n = 1; n < workerCount; n += 1) workers.push(await server.person(`Worker${n}`));
  await writeCorpus(server, guides, ana.userid);
  await writeCategories(categories);
  const picture = await sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#777' } })
    .jpeg()
    .toBuffer();
  const uploaded = await fetch(`${server.url}/api/2.0/user/media/images?file=bench.jpg`, {
    method: 'POST',
    headers: { Authorization: `api ${ana.token}` },
    body: picture,
  });
  const { image } = (await uploaded.json()) as { image: { guid: string } };
  const ground: Ground = {
    url: server.url,
    token: ana.token,
    credentials: { email: 'ben@example.com', password: 'a long password' },
    guides,
    categories,
    userids: workers.map(({ userid }) => userid),
    imagePath: `/igi/${image.guid}.standard`,
    entries: await startEntries(),
  };
  process.stdout.write(`${JSON.stringify(ground)}\n`);

  /** A tree of three levels with increasingly many categories. */
  async function writeCategories(count: number): Promise<void> {
    await contextForJob(server.services, null, async (ctx) => {
      for (let n = 1; n <= count; n += 1) {
        const parent = n <= 10 ? null : `Machine ${Math.ceil((n - 10) / 20)}`;
        const stub = stubOf({
          namespace: 'CATEGORY',
          title: `Machine ${n}`,
          langid: 'en',
          parent,
          userid: 0,
        });
        await saveWiki(ctx, { ...stub, contents_raw: `About machine ${n}.` });
      }
    });
  }

  /** Running work orders for each saving worker; those of one worker are 8 apart. */
  async function startEntries(): Promise<Ground['entries']> {
    const entries: Ground['entries'] = [];
    const fields = [{ field_type: 'Text Input', label: 'Torque' }];
    for (let n = 1; n <= workerCount * ordersOfOne; n += 1) {
      const stepid = n * 100;
      const form = await ana.call('POST', `/step_forms/${stepid}`, { fields });
      const { fields: saved } = form.body as { fields: { field_revisionid: number }[] };
      const worker = must(workers[n % workerCount], 'a worker');
      const entry = await worker.call('POST', '/work_log', { guideid: n, workorderid: `WO-${n}` });
      const { entryid } = entry.body as { entryid: number };
      entries.push({ entryid, field_revisionid: saved[0]?.field_revisionid ?? 0, token: worker.token });
    }
    return entries;
  }
}

tellProcessor();
await main(Number(process.argv[2]), Number(process.argv[3]));
