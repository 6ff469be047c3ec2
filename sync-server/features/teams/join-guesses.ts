import { Problem } from '#shared/api/problem.ts';
import { hashToken } from '#server/core/sessions.ts';
import { mustUserid, type Context } from '#server/core/context.ts';

import { countAttempt } from '../tokens/attempts.ts';
import { forgetFailures, refuseWhileThrottled } from '../tokens/throttle.ts';

/** Runs `join`, which answers 403 for a wrong code; 429 for a person who guessed wrong too often (TEAM-16). */
export async function withGuessesCounted<T>(
  ctx: Context,
  teamid: number,
  code: string | null | undefined,
  join: () => Promise<T>,
): Promise<T> {
  if (code === undefined || code === null || code === '') return join();
  const { services, viewer, address } = ctx;
  const action = 'PUT /teams/{teamid}/users/{userid}';
  const { userid, username: name, impersonator } = viewer;
  const origin = { userid, name, impersonator, action, address };
  const subject = hashToken(`join code of team ${teamid} by ${mustUserid(ctx)}`);
  return services.passwords.inTurn(subject, async () => {
    await refuseWhileThrottled(ctx, subject);
    const joined = await join().catch(async (error: unknown) => {
      const isWrong = error instanceof Problem && error.kind === 'forbidden';
      if (isWrong)
        await countAttempt(ctx, {
          limits: [{ subject }],
          action,
          object: { kind: 'team', id: String(teamid) },
        });
      throw error;
    });
    await services.storage.write(origin, (tx) => forgetFailures(tx, subject));
    return joined;
  });
}
