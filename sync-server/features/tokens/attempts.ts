import type { Context } from '#server/core/context.ts';

import { freeTries } from './policy.ts';
import { mailAdministrators } from './notices.ts';
import { countFailure, type TryLimit } from './throttle.ts';

/** A failed attempt to prove an identity or to use a code. */
interface FailedAttempt {
  /** Limits for which the attempt counts, narrowest first. */
  limits: readonly TryLimit[];
  /** The action, as named in the audit log. */
  action: string;
  /** The caller's session ends when the last of the limits is reached. */
  endsSession?: boolean;
  /**
   * The account or code; null if unknown. (People type their password into the wrong field, so input is not recorded.)
   */
  object: { kind: string; id: string } | null;
}

/**
 * Counts a failed attempt and records it in the audit log, in a transaction of its own, because the call is refused and
 * has no effect. Repeated failures are reported at once in the server's log and to administrators by mail (21 CFR
 * 11.300(d)).
 *
 * - STATION-17 A colleague confirms values at a station with their password (COSIGN-6), and wrong ones are counted for that
 *   account and for the person at the station. They never end the session of the station, which whoever stands at it could
 *   otherwise shut out; the waits apply.
 */
export async function countAttempt(
  ctx: Context,
  { limits, action, object, endsSession = false }: FailedAttempt,
): Promise<void> {
  const { services, viewer, address } = ctx;
  const by =
    viewer.userid === 0
      ? { userid: null, name: 'Anonymous' }
      : { userid: viewer.userid, name: viewer.username, impersonator: viewer.impersonator };
  const failures = await services.storage.write({ ...by, action, address }, async (tx, note) => {
    const counts: number[] = [];
    for (const limit of limits) counts.push(await countFailure(tx, limit, ctx.seconds));
    note.outcome = 'refused';
    note.object = object ?? { kind: '', id: '' };
    note.facts = { failures: counts[0] ?? 0 };
    const last = limits.at(-1);
    if (
      endsSession &&
      viewer.station === undefined &&
      last !== undefined &&
      (counts.at(-1) ?? 0) >= (last.free ?? freeTries)
    )
      await tx
        .deleteFrom('tokens')
        .where('token_hash', '=', viewer.tokenHash ?? '')
        .execute();
    return counts;
  });
  // Reported when the first limit is reached, not with each attempt beyond it.
  const reached = limits.findIndex(({ free = freeTries }, index) => failures[index] === free);
  if (reached < 0) return;
  services.log.warn({ action, object, address, failures: failures[reached] }, 'repeated failed attempts');
  const { name } = services.site;
  const what = object === null ? 'none' : `${object.kind} ${object.id}`;
  await mailAdministrators(services, ({ mails: { attempts } }) => ({
    subject: attempts.subject(name),
    text: attempts.text(failures[reached] ?? 0, name, action, what, address),
  }));
}
