import { scenarios } from './scenarios.ts';
import { World } from './world.ts';

/** The result of one scenario; `failure`: null if the client passed. */
export interface Verdict {
  name: string;
  failure: string | null;
}

/**
 * Plays every scenario whose name contains `only` with a client program, each in a world of its own.
 * @returns How many failed
 */
export async function checkClient(
  command: readonly string[],
  only: string,
  tell: (verdict: Verdict) => void,
): Promise<number> {
  let failures = 0;
  for (const [name, play] of Object.entries(scenarios)) {
    if (!name.includes(only)) continue;
    await using world = await World.create(command);
    let failure: string | null = null;
    try {
      await play(world);
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
      failures += 1;
    }
    tell({ name, failure });
  }
  return failures;
}
