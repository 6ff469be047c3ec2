import { docs, type DeviationDoc, type PlannedDoc, type Scene, type Violation } from './scene.ts';

/**
 * FLEET-3: a deviation has one follow-up order that is not withdrawn, and a key has planned one order. FLEET-4: a deviation
 * says which follow-up order it has, and its state.
 */
export function brokenFollowUps({ stored }: Pick<Scene, 'stored'>): Violation[] {
  const found: Violation[] = [];
  const planned = docs<PlannedDoc>(stored, 'plannedOrders');
  const keys = planned.flatMap(({ key = [] }) => key);
  if (new Set(keys).size < keys.length)
    found.push({ rule: 'FLEET-3', what: `a call planned several orders: ${keys.toSorted().join(' ')}` });
  for (const { docid, follow_up } of docs<DeviationDoc>(stored, 'deviations')) {
    const own = planned.filter(({ follows }) => String(follows?.deviationid) === docid);
    const present = own.filter(({ status }) => status !== 'withdrawn');
    if (present.length > 1)
      found.push({
        rule: 'FLEET-3',
        what: `deviation ${docid} has the follow-up orders ${present.map(({ workorderid }) => workorderid).join(', ')}`,
      });
    const named = own.find(({ planned_orderid }) => planned_orderid === follow_up?.planned_orderid);
    const wanted = present[0] ?? named ?? own[0];
    const isTold =
      wanted?.planned_orderid === follow_up?.planned_orderid &&
      wanted?.status === follow_up?.status &&
      wanted?.workorderid === follow_up?.workorderid;
    if (!isTold)
      found.push({
        rule: 'FLEET-4',
        what: `deviation ${docid} says ${JSON.stringify(follow_up)}, and its follow-up order is ${wanted?.workorderid} ${wanted?.status}`,
      });
  }
  return found;
}
