import type { DeviationReport } from '#desktop/engine/areas/deviations.ts';
import { dispositions } from '#shared/model/deviations.ts';

import type { DoingKind } from '../plan.ts';
import { torqueLimits } from '../server-names.ts';
import { wordsIn } from '../words.ts';
import type { Acting, Perform } from './acting.ts';
import { fieldOf, guideOf, ownOrder, type Order } from './orders.ts';
import { pictureFile } from './picture-file.ts';

/** Actions on values out of limits, and on deviations. */
export const deviationDoings = {
  'limit-value': recordLimitValue,
  report,
  'decide-deviation': decideDeviation,
} satisfies Partial<Record<DoingKind, Perform>>;

/** A torque or a result, mostly one that is not as it must be. No two actions record the same torque. */
async function recordLimitValue(acting: Acting): Promise<void> {
  const order = await ownOrder(acting, ['started', 'paused']);
  const guide = await guideOf(acting, order);
  const isResult = acting.pick(3) % 4 === 0;
  const field = fieldOf(acting, guide, isResult ? 'Radios' : 'Numeric Input');
  if (order === undefined || field === undefined) return;
  const isGood = acting.pick(4) % 4 === 0;
  const { id } = acting.doing;
  const { min, max } = torqueLimits;
  const number = isGood ? `${min + (id % (max - min))}` : `${max + id}`;
  const value = isResult ? (isGood ? 'OK' : 'Fail') : number;
  acting.say(`limit-value ${value} of ${order.workorderid}`);
  await acting.actions.recordValue(order.entryid, field, value);
}

/** A report about a value that is not as it must be, or about something else; also of an order that is over. */
async function report(acting: Acting): Promise<void> {
  const order = await ownOrder(acting, ['started', 'paused', 'suspended', 'complete', 'cancelled']);
  if (order === undefined) return;
  const field_revisionid = acting.one([...deviatingFields(order), undefined], 2);
  const note = `Note ${acting.word('note')}`;
  const about: Pick<DeviationReport, 'field_revisionid' | 'title'> =
    field_revisionid === undefined ? { title: `Dent ${acting.word('note', 1)}` } : { field_revisionid };
  const what = field_revisionid === undefined ? 'something else' : `field ${field_revisionid}`;
  acting.say(`report ${note} about ${what} in ${order.workorderid}`);
  const pictures: File[] = [];
  if (acting.pick(4) % 5 === 0) {
    const { file, sha256 } = pictureFile(acting);
    pictures.push(new File([file], `dent-${acting.doing.id}.png`, { type: file.type }));
    acting.done.facts.file = sha256;
  }
  await acting.actions.reportDeviation(order.entryid, { ...about, note, pictures });
}

function deviatingFields({ values }: Order): number[] {
  return Object.entries(values).flatMap(([id, { broken, value }]) =>
    broken !== null || value === 'Fail' ? [Number(id)] : [],
  );
}

/** A decision of a lead. It replaces an earlier one of the same device that the server does not have. */
async function decideDeviation(acting: Acting): Promise<void> {
  const { actions, done } = acting;
  const all = await acting.look('deviations');
  const deviation = acting.order(
    all.filter(({ decides }) => decides),
    0,
  );
  if (deviation === undefined) return;
  const { deviationid, measured, decision, earlier } = deviation;
  const reason = acting.word('reason');
  acting.say(`decide-deviation ${reason} about ${deviationid}`);
  const path = `/deviations/${deviationid}/disposition`;
  for (const { call, state } of await acting.look('activity'))
    if (call.path === path && state !== 'on-the-server')
      done.takenBack.push(...wordsIn(JSON.stringify(call.body)));
  done.facts.decision = {
    reason,
    value: measured?.value ?? null,
    saw: wordsIn([decision, ...earlier].map((one) => one?.reason ?? '').join(' ')),
  };
  const disposition = acting.one(dispositions, 1) ?? 'rework';
  await actions.decideDeviation(deviationid, disposition, `Reason ${reason}`);
}
