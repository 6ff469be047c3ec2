import { invalid } from '#shared/api/problem.ts';
import type { OrderSigningActions, SecondPersonView } from '#desktop/engine/api/order-signing.ts';

import type { World } from './fixture-world.ts';

/** The password of everybody in the fixture's world. */
const password = 'a long password';

function mustMatch(given: string, field: string): void {
  if (given !== password) throw invalid(field, 'This is not the password of that person');
}

/** The engine's confirmations and signatures, in the fixture's world. */
export function orderSigningActions(
  world: () => World,
  change: (make: (now: World) => Partial<World>) => void,
): OrderSigningActions {
  const confirm = (entryid: string, revision: number, stepid: string, name: string): void => {
    const second: SecondPersonView = {
      state: 'confirmed',
      name,
      named: null,
      at: Date.UTC(2026, 10, 28, 8, 15),
      method: 'password',
      isLate: false,
    };
    change(({ orders }) => ({
      orders: orders.map((order) => {
        const values = Object.entries(order.values);
        const before = order.values[revision] ?? values[0]?.[1];
        if (order.entryid !== entryid || before === undefined) return order;
        const value = { ...before, value: name, stepid, fieldType: 'Text Input' as const, second };
        return { ...order, values: { ...order.values, [revision]: { ...value, saved: 'server' as const } } };
      }),
    }));
  };
  return {
    async confirmAsColleague(entryid, { field_revisionid, stepid }, userid, given) {
      mustMatch(given, 'password');
      const person = world().people.find((one) => one.userid === userid);
      confirm(entryid, field_revisionid, stepid, person?.name ?? '');
    },
    async confirmStep(entryid, { field_revisionid, stepid }, proof) {
      if ('password' in proof) mustMatch(proof.password, 'current_password');
      confirm(entryid, field_revisionid, stepid, world().session.user?.username ?? '');
    },
    async signRecord(entryid, { meaning, comment, sha256 }, proof) {
      if ('password' in proof) mustMatch(proof.password, 'current_password');
      change(({ orderRecord, session }) => {
        if (orderRecord === null || orderRecord.file.record.entryid !== Number(entryid)) return {};
        const { signatures } = orderRecord.file;
        const signature = {
          record_signatureid: signatures.length + 1,
          userid: session.user?.userid ?? 0,
          name: session.user?.username ?? '',
          meaning,
          comment,
          method: 'password' as const,
          sha256,
          date: Date.UTC(2026, 10, 28, 9, 30) / 1000,
          applies: true,
        };
        return {
          orderRecord: {
            ...orderRecord,
            meanings: orderRecord.meanings.filter((one) => one !== meaning),
            file: { ...orderRecord.file, signatures: [...signatures, signature] },
          },
        };
      });
    },
  };
}
