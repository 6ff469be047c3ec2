import type { DoingKind } from '../plan.ts';
import { wordsIn } from '../words.ts';
import type { Acting, Perform } from './acting.ts';

/** Actions on follow-up orders of deviations. */
export const followUpDoings = {
  'plan-follow-up': planFollowUp,
  'withdraw-follow-up': withdrawFollowUp,
  'own-follow-up': planAsOwn,
} satisfies Partial<Record<DoingKind, Perform>>;

/** A follow-up order of a deviation that has none which is not withdrawn, as far as the device knows. */
async function planFollowUp(acting: Acting): Promise<void> {
  const { plans, of } = await acting.look('followUps');
  const { people, teams } = await acting.look('planningFor');
  const all = await acting.look('deviations');
  const deviation = acting.order(
    all.filter(({ deviationid, guideTitle, pending }) => {
      const present = of[deviationid]?.status ?? 'withdrawn';
      return plans && !pending && guideTitle !== '' && present === 'withdrawn';
    }),
    0,
  );
  const team = acting.one(teams, 1);
  const person = acting.one(people, 1);
  if (deviation === undefined || (team === undefined && person === undefined)) return;
  const isForTeam = person === undefined || (team !== undefined && acting.pick(2) % 2 === 0);
  const note = acting.word('plan');
  acting.say(`plan-follow-up ${note} of ${deviation.deviationid} in ${deviation.workorderid}`);
  await acting.actions.planFollowUp(deviation.deviationid, {
    guideid: deviation.guideid,
    release: null,
    workorderid: acting.word('plan', 1),
    assignee: isForTeam
      ? { kind: 'team', id: team?.teamid ?? 0 }
      : { kind: 'person', id: person?.userid ?? 0 },
    due: null,
    priority: 'normal',
    serials: [],
    note: `Note ${note}`,
    rrule: null,
  });
}

async function withdrawFollowUp(acting: Acting): Promise<void> {
  const planned = await acting.look('plannedOrders');
  const open = planned.flatMap((seen) =>
    seen.follows !== null && seen.plans ? [{ seen, workorderid: seen.follows.workorderid }] : [],
  );
  const { seen } = acting.order(open, 0) ?? {};
  if (seen === undefined) return;
  acting.say(`withdraw-follow-up ${seen.workorderid}`);
  // An order that the server does not have is gone with its words.
  if (seen.revisionid === 0) acting.done.takenBack.push(...wordsIn(`${seen.workorderid} ${seen.note}`));
  await acting.actions.withdrawPlannedOrder(seen);
}

/** A follow-up order that arrived second becomes an order of its own. */
async function planAsOwn(acting: Acting): Promise<void> {
  const activity = await acting.look('activity');
  const second = acting.one(
    activity.filter(
      ({ state, refusal, call }) =>
        state === 'parked' && refusal?.status === 409 && call.path.endsWith('/follow_up'),
    ),
    0,
  );
  if (second === undefined) return;
  acting.say(`own-follow-up ${second.subject}`);
  await acting.actions.planAsOwnOrder(second.id);
}
