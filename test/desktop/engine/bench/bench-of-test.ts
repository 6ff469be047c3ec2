import { endsWithTest } from '#test/support/ends-with-test.ts';
import { plainGuide } from '#test/support/guide-edits.ts';

import { Bench } from './bench.ts';
import { MemoryServer } from './memory-server.ts';

/** A device that is closed when the running test ends. */
export async function openBench(...given: Parameters<typeof Bench.open>): Promise<Bench> {
  return endsWithTest(await Bench.open(...given));
}

/** A server with the plain guide as number 7, and a device that has it. */
export async function workshop(): Promise<{ server: MemoryServer; bench: Bench }> {
  const server = new MemoryServer();
  server.put('guides', '7', plainGuide);
  return { server, bench: await openBench(server) };
}
