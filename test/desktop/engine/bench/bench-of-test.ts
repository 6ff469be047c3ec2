import { endsWithTest } from '#test/support/ends-with-test.ts';
import { plainGuide } from '#test/support/guide-edits.ts';

import { Bench } from './bench.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';

/** A device that is closed when the running test ends. */
export async function openBench(...given: Parameters<typeof Bench.open>): Promise<Bench> {
  return endsWithTest(await Bench.open(...given));
}

/** A server with the plain guide as number 7, and a device that has it. */
export async function workshop(): Promise<{ server: StandInServer; bench: Bench }> {
  const server = StandInServer.still();
  server.put('guides', '7', plainGuide);
  return { server, bench: await openBench(server) };
}
