import { firstValueFrom } from 'rxjs';

import { requestOf } from '#shared/api/client.ts';
import { tracing, type TracedOrderRecord } from '#shared/api/tracing.ts';

import type { TracingActions } from '../api/tracing.ts';
import { deviationOfServer } from '../areas/deviations.ts';
import type { ActionContext } from '../features/action-context.ts';
import { stationsIn } from '../features/records/work-order-view.ts';
import { readOwn, serverClient, serverFetch } from './server-client.ts';

/** Number of orders that are read at a time. */
const pageSize = 50;

/** Reads of the orders of a number or a revision, from the server directly. Nothing of it is stored on the device. */
export function tracingActions(context: ActionContext): TracingActions {
  const { sources } = context;
  const send = serverFetch(sources.core);
  const client = serverClient(sources.core, { tracing });
  return {
    async trace(key, offset) {
      const what =
        'number' in key
          ? { number: key.number }
          : { guideid: context.resolve(key.guideid), revision_number: key.revision };
      const query = { ...what, limit: pageSize, offset };
      const { url, init } = requestOf(tracing.trace, { query }, { baseUrl: '' }, {});
      const response = await send(url, init);
      const found = (await readOwn(tracing.trace, response)) as TracedOrderRecord[];
      const around = { userid: context.userid(), names: await firstValueFrom(sources.names), sources };
      const known = new Map(
        (await firstValueFrom(sources.core.mirror.all('workLog'))).map(({ id, facts }) => [id, facts]),
      );
      const stationsOfKnown = (entryid: number) => {
        const facts = known.get(String(entryid));
        return facts === undefined
          ? {}
          : stationsIn(facts, { nameOf: (userid) => around.names.get(userid) ?? '' });
      };
      return {
        orders: found.map(({ record, deviations }) => ({
          entryid: String(record.entryid),
          record,
          deviations: deviations.map((one) => deviationOfServer(one, record.guide_title, around)),
          pending: false,
          ...stationsOfKnown(record.entryid),
        })),
        total: Number(response.headers.get('x-total-count') ?? offset + found.length),
      };
    },
    suggestNumbers: async (prefix) =>
      (await client.tracing.numbers({ query: { prefix } })).map(({ number }) => number),
  };
}
