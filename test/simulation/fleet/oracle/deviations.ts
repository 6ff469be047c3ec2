import { torqueLimits } from '../server-names.ts';
import { wordsIn } from '../words.ts';
import {
  docs,
  type DeviationDoc,
  type OrderDoc,
  type Scene,
  type ValueDoc,
  type Violation,
} from './scene.ts';

/**
 * FLEET-3: a key has made one deviation, a field has one open deviation, and a decision is about what its person saw.
 * FLEET-2: every value that is not as it must be in a finished order has a deviation.
 */
export function brokenDeviations(scene: Scene): Violation[] {
  const orders = docs<OrderDoc>(scene.stored, 'workLog');
  const deviations = docs<DeviationDoc>(scene.stored, 'deviations');
  return [
    ...repeatedReports(deviations),
    ...blindDecisions(scene, deviations),
    ...orders.flatMap((order) =>
      wrongFields(
        order,
        deviations.filter(({ entryid }) => String(entryid) === order.docid),
      ),
    ),
  ];
}

/** A report makes one deviation, and the end of an order one for each field. */
function repeatedReports(deviations: readonly DeviationDoc[]): Violation[] {
  const made = deviations.flatMap(({ key, value }) =>
    key === undefined ? [] : [{ call: key, field: value?.field_guid ?? '' }],
  );
  return [...Map.groupBy(made, ({ call, field }) => `${call} ${field}`).values()].flatMap(
    ([first, ...rest]): Violation[] =>
      first === undefined || rest.length === 0
        ? []
        : [{ rule: 'FLEET-3', what: `the call ${first.call} reported ${rest.length + 1} deviations` }],
  );
}

/** Decisions about something that their person had not seen. */
function blindDecisions(
  { ledger }: Scene,
  deviations: readonly (DeviationDoc & { docid: string })[],
): Violation[] {
  return deviations.flatMap(({ docid, value, decisions }) =>
    decisions.flatMap(({ reason }, nth): Violation[] => {
      const decided = wordsIn(reason).flatMap((word) => ledger.decisions.get(word) ?? [])[0];
      if (decided === undefined) return [];
      const say = (what: string): Violation => ({
        rule: 'FLEET-3',
        what: `${reason} (${decided.person}) about deviation ${docid} ${what}`,
      });
      const earlier = decisions.slice(0, nth).flatMap((one) => wordsIn(one.reason));
      const unseen = earlier.filter(
        (word) => !decided.saw.includes(word) && ledger.decisions.get(word)?.person !== decided.person,
      );
      return [
        ...(decided.value === (value?.value ?? null)
          ? []
          : [say(`was made about ${decided.value}, and stands for ${value?.value}`)]),
        ...(unseen.length === 0 ? [] : [say(`was made without ${unseen.join(', ')}`)]),
      ];
    }),
  );
}

/** What is wrong with the deviations of one order. */
function wrongFields(order: OrderDoc, deviations: readonly DeviationDoc[]): Violation[] {
  const found: Violation[] = [];
  const values = order.events.flatMap(({ data = [] }) => data);
  const isFinished = order.events.some(({ type }) => type === 'finish');
  for (const field of new Set(values.map(({ field_guid }) => field_guid))) {
    const last = values.findLast(({ field_guid }) => field_guid === field);
    const own = deviations.filter(({ value }) => value?.field_guid === field);
    const open = own.filter(({ decisions }) => decisions.length === 0);
    const where = `work order ${order.workorderid}, ${last?.label}`;
    if (open.length > 1) found.push({ rule: 'FLEET-3', what: `${where}: ${open.length} open deviations` });
    for (const { value } of open)
      if (value?.value !== last?.value)
        found.push({
          rule: 'FLEET-4',
          what: `${where}: the open deviation says ${value?.value}, and ${last?.value} was measured last`,
        });
    const isReported = own.some(({ value }) => value?.value === last?.value);
    if (isFinished && last !== undefined && isWrong(last) && !isReported)
      found.push({ rule: 'FLEET-2', what: `${where}: ${last.value} was finished without a deviation` });
  }
  return found;
}

/** Whether a value is not as it must be, by the forms of `server-content.ts`. */
function isWrong({ label, value }: ValueDoc): boolean {
  const { min, max } = torqueLimits;
  if (label === 'Torque') return value !== '' && (Number(value) < min || Number(value) > max);
  return label === 'Result' && value === 'Fail';
}
