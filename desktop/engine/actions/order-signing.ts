import { signOn } from '#shared/api/sign-on.ts';
import { workLog } from '#shared/api/work-log.ts';
import { stepValuesText } from '#shared/rules/second-person.ts';

import type { OrderSigningActions } from '../api/order-signing.ts';
import { type ActionContext, impossible, openCallsOf } from '../features/action-context.ts';
import { readEntry } from '../features/read-entry.ts';
import { sha256 } from '../journal/bytes.ts';
import { proofSender } from './proofs.ts';
import { serverClient } from './server-client.ts';

const tables = { workLog, signOn };

/** Confirmations and signatures, which go to the server directly: nothing of a password waits on the device. */
export function orderSigningActions(context: ActionContext): OrderSigningActions {
  const { core } = context.sources;
  const client = serverClient(core, tables);
  const prove = proofSender(client);
  return {
    async confirmAsColleague(entryid, { field_revisionid, stepid }, userid, password) {
      const { id, values_sha256 } = await shown(context, entryid, stepid);
      await client.workLog.confirmHere({
        params: { entryid: id, userid },
        body: { field_revisionid, values_sha256, password },
      });
      core.sync.now();
    },
    async confirmStep(entryid, { field_revisionid, stepid }, proof) {
      const { id, values_sha256 } = await shown(context, entryid, stepid);
      await prove(proof, (fields) =>
        client.workLog.confirm({
          params: { entryid: id },
          body: { field_revisionid, values_sha256, ...fields },
        }),
      );
      core.sync.now();
    },
    async signRecord(entryid, { sha256: record_sha256, meaning, comment }, proof) {
      const id = context.resolve(entryid);
      await prove(proof, (fields) =>
        client.workLog.sign({
          params: { entryid: id },
          body: { meaning, comment, record_sha256, ...fields },
        }),
      );
      core.sync.now();
    },
  };
}

/** The number of an order, and the hash of the values of a step as this device shows them (COSIGN-5). */
async function shown(
  context: ActionContext,
  entryid: string,
  stepid: string,
): Promise<{ id: string; values_sha256: string }> {
  const { entryid: id, facts } = await readEntry(context, entryid);
  if (id.startsWith('tmp:') || openCallsOf(context, 'workLog', id).length > 0)
    throw impossible('The server does not have all values of this work order yet. Try again in a moment');
  const text = stepValuesText(facts, Number(stepid));
  return { id, values_sha256: await sha256(new TextEncoder().encode(text)) };
}
