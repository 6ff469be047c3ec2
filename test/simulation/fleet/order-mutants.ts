import type { PlantedFault } from '#test/support/planted-fault.ts';

import type { Mutant } from './mutants.ts';

function mutant(
  promise: Mutant['promise'],
  name: string,
  breaks: string,
  where: PlantedFault['where'],
  file: string,
  find: string,
  replace: string,
): Mutant {
  return { promise, name, breaks, where, edits: [{ file, find, replace }] };
}

const giveBack = `      put: calls
        .flatMap(({ id }) => present.get(id) ?? [])
        .filter(({ state }) => state === 'sending')
        .map((call) => ({ ...call, state: 'queued' })),
`;

/** Bugs of deviations, follow-up orders, reasons, notes and leads. `order-scenes.ts` and `follow-up-scenes.ts` have a scene for each. */
export const mutantsOfOrders: readonly Mutant[] = [
  mutant(
    2,
    'note-lost-at-retry',
    'A report that found no server is sent again without its note',
    'app',
    'desktop/engine/outbox/in-flight.ts',
    giveBack,
    giveBack.replace(
      "state: 'queued' }",
      "state: 'queued', body: call.kind === 'deviation-report' ? { ...Object(call.body), note: 'Again' } : call.body }",
    ),
  ),
  mutant(
    3,
    'report-under-new-key',
    'A report whose answer was lost is sent again as another one',
    'app',
    'desktop/engine/outbox/in-flight.ts',
    giveBack,
    `${giveBack.replace(
      '({ ...call,',
      "({ ...call, id: call.kind === 'deviation-report' ? crypto.randomUUID() : call.id,",
    )}      drop: calls.filter(({ kind }) => kind === 'deviation-report').map(({ id }) => id),
`,
  ),
  mutant(
    3,
    'field-reported-twice',
    'A second report about a value makes a second deviation',
    'server',
    'sync-server/features/deviations/store.ts',
    'if (last !== undefined && hasRoom(last, fresh)) return addToDeviation',
    'if (last !== undefined && last.revisionid < 0) return addToDeviation',
  ),
  mutant(
    3,
    'stale-decision-counts',
    'A decision about a value that was measured again counts',
    'server',
    'sync-server/features/deviations/store.ts',
    'if (facts.revisionid !== revisionid) throw conflict(recordOf(ctx, facts));',
    'void revisionid;',
  ),
  mutant(
    4,
    'measured-again-untold',
    'A deviation keeps the value that it was reported with',
    'server',
    'sync-server/features/deviations/publish.ts',
    'facts.decisions.length > 0 ? undefined : measuredAgain',
    'facts.decisions.length >= 0 ? undefined : measuredAgain',
  ),
  mutant(
    2,
    'finish-reports-nothing',
    'A finished order has values out of limits without a deviation',
    'server',
    'sync-server/features/deviations/publish.ts',
    "if (last?.type === 'finish') await",
    "if (last?.type === 'finish' && rows.length > 99) await",
  ),
  mutant(
    2,
    'reasons-left-behind',
    'The reasons for missing values are not sent',
    'app',
    'desktop/engine/features/move-order.ts',
    '...(told.length === 0\n',
    '...(told.length >= 0\n',
  ),
  {
    promise: 2,
    name: 'reasons-by-forms-of-today',
    breaks:
      'Required fields and reasons are those of the guide at the finish, not of the revision of the order',
    where: 'server',
    edits: [
      {
        file: 'sync-server/features/work-log/gaps.ts',
        find: '  return [...own, ...present.filter((form) => form.guideid !== guideid)];',
        replace: '  return present;',
      },
      {
        file: 'sync-server/features/work-log/gaps.ts',
        find: '    told.set(',
        replace: '    if (guide === undefined) told.set(',
      },
    ],
  },
  mutant(
    2,
    'note-for-nobody',
    'The note of a suspension is not stored',
    'server',
    'shared/rules/work-log.ts',
    "if (note !== undefined && note !== '') stored.note = note;",
    '',
  ),
  mutant(
    2,
    'own-order-without-reports',
    'Reports are dropped when work that somebody took over becomes an own order',
    'app',
    'desktop/engine/actions/frozen-orders.ts',
    'if (report !== undefined) {',
    'if (report !== undefined) {\n      if (report !== null) continue;',
  ),
  mutant(
    2,
    'own-order-ends-early',
    'An own order has nothing of what followed the second assumption',
    'app',
    'desktop/engine/actions/frozen-orders.ts',
    '|| !canMove(status, move)) continue;',
    "|| move === 'assume' || !canMove(status, move)) continue;",
  ),
  mutant(
    2,
    'first-decision-wins',
    'A decision is lost when an earlier one waits on the device',
    'app',
    'desktop/engine/outbox/kinds/deviations.ts',
    '{ put: [incoming], drop: [last.id], result: incoming }',
    '{ put: [], drop: [], result: last }',
  ),
  mutant(
    5,
    'lead-for-ever',
    'The device of a former lead keeps the work of the team',
    'server',
    'sync-server/features/teams/members.ts',
    'if (memberships.teams.includes(teamid)) await publishMembership(ctx, one, memberships);',
    'if (memberships.teams.includes(teamid) && one === userid) await publishMembership(ctx, one, memberships);',
  ),
  mutant(
    5,
    'deviations-stay-offered',
    'Deviations of an offered order stay with those who may not see its guide any more',
    'server',
    'sync-server/features/work-log/store.ts',
    '    await republishDeviations(ctx, entry.entryid, audience);',
    '',
  ),
  mutant(
    4,
    'offered-without-deviations',
    'Who is offered a suspended order does not see its deviations',
    'server',
    'sync-server/features/deviations/publish.ts',
    "new Set(['assume', 'suspend', 'finish', 'cancel'])",
    "new Set(['assume', 'finish', 'cancel'])",
  ),
  mutant(
    3,
    'second-follow-up-counts',
    'The database does not know which deviation an order follows up',
    'server',
    'sync-server/features/planned-orders/insert.ts',
    '      occurrence,\n      deviationid,\n',
    '      occurrence,\n      deviationid: deviationid === null ? null : null,\n',
  ),
  mutant(
    2,
    'second-follow-up-goes',
    'A follow-up order that arrives second is dropped',
    'app',
    'desktop/engine/outbox/kinds/planned-orders.ts',
    "conflict: () => ({ action: 'park', message: second })",
    "conflict: () => ({ action: second === '' ? 'park' : 'drop', message: second })",
  ),
  mutant(
    4,
    'withdrawn-follow-up-untold',
    'A deviation is not told that its follow-up order was withdrawn',
    'server',
    'sync-server/features/deviations/follow-up.ts',
    'if (isReplaced || sameValue(facts.follow_up, follow_up)) return;',
    "if (isReplaced || status === 'withdrawn' || sameValue(facts.follow_up, follow_up)) return;",
  ),
  mutant(
    3,
    'follow-up-under-new-key',
    'A follow-up order whose answer was lost is sent again as an order of its own',
    'app',
    'desktop/engine/outbox/in-flight.ts',
    giveBack,
    `${giveBack.replace(
      '({ ...call,',
      "({ ...call, ...(call.kind === 'planned-follow-up' ? { id: crypto.randomUUID(), kind: 'planned-create' as const, path: '/work_orders' } : {}),",
    )}      drop: calls.filter(({ kind }) => kind === 'planned-follow-up').map(({ id }) => id),
`,
  ),
];
