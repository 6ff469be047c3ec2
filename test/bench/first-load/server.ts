/** A server full of generated guides in a separate process; prints its address and tokens on its first line. */
import { startServer } from '#test/support/server.ts';

import { tellProcessor } from '../api/tell-processor.ts';
import { writeCorpus } from '../corpus.ts';

/** What the load needs to know about the server. */
export interface Ground {
  url: string;
  /** One for each device. */
  tokens: string[];
}

async function main(guides: number, devices: number): Promise<void> {
  const server = await startServer({ checked: false });
  const author = await server.person('Author');
  await writeCorpus(server, guides, author.userid);
  const tokens: string[] = [];
  for (let n = 1; n <= devices; n += 1) tokens.push((await server.person(`Reader${n}`)).token);
  await server.packs.make();
  const ground: Ground = { url: server.url, tokens };
  process.stdout.write(`${JSON.stringify(ground)}\n`);
}

tellProcessor();
await main(Number(process.argv[2]), Number(process.argv[3]));
