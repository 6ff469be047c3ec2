import { approvals } from '#shared/api/approvals.ts';
import type { Context } from '#server/core/context.ts';
import { handle } from '#server/http/handle.ts';

import { spendSignOn } from '../tokens/proof.ts';
import { mustFindCategory, removeDefault, setDefault } from './defaults.ts';
import { withPassword } from './password.ts';
import { mustBeSigner, mustSeeProcesses } from './policy.ts';
import { createProcess, editProcess, listProcesses, mustFindProcess } from './processes.ts';
import { listRequests, mustSeeRequest, openRequestsOf, representRequest } from './requests.ts';
import { mustGiveReason, sign } from './sign.ts';

const sees = (_: unknown, ctx: Context): void => mustSeeProcesses(ctx);

interface OfRequest {
  params: { approval_requestid: number };
}

async function maySign({ params }: OfRequest, ctx: Context): Promise<void> {
  await mustBeSigner(ctx, params.approval_requestid);
}

async function answerProcess(ctx: Context, approval_processid: number) {
  return ctx.respondWithRecord(
    'approvalProcess',
    approval_processid,
    mustFindProcess(ctx.db, approval_processid),
  );
}

async function answerRequest(ctx: Context, approval_requestid: number) {
  return ctx.respondWithRecord(
    'approvalRequest',
    approval_requestid,
    representRequest(ctx, approval_requestid),
  );
}

export const approvalHandlers = handle(
  approvals,
  {
    processes: { allow: sees, run: ({ query }, ctx) => listProcesses(ctx, query) },
    searchProcesses: {
      allow: sees,
      run: ({ params, query }, ctx) => listProcesses(ctx, query, params.search_phrase),
    },
    process: {
      allow: async ({ params }, ctx) => {
        mustSeeProcesses(ctx);
        await mustFindProcess(ctx.db, params.approval_processid);
      },
      run: async ({ params: { approval_processid } }, ctx) => ({
        ...(await mustFindProcess(ctx.db, approval_processid)),
        requests: await openRequestsOf(ctx, approval_processid),
      }),
    },
    createProcess: async ({ body }, ctx) => answerProcess(ctx, await createProcess(ctx, body)),
    patchProcess: {
      allow: async ({ params }, ctx) => void (await mustFindProcess(ctx.db, params.approval_processid)),
      run: async ({ params, body }, ctx) => {
        await editProcess(ctx, params.approval_processid, body);
        return answerProcess(ctx, params.approval_processid);
      },
    },
    setDefault: {
      allow: async ({ params }, ctx) => {
        await mustFindCategory(ctx.db, params.wikiid);
        await mustFindProcess(ctx.db, params.approval_processid);
      },
      run: async ({ params }, ctx) => {
        await setDefault(ctx, params.wikiid, params.approval_processid);
        return ctx.respondWithRecord('approvalDefault', JSON.stringify(params), params);
      },
    },
    removeDefault: {
      allow: ({ params }, ctx) => mustFindCategory(ctx.db, params.wikiid),
      run: ({ params }, ctx) => removeDefault(ctx, params.wikiid),
    },
    requests: { allow: sees, run: ({ query }, ctx) => listRequests(ctx, query) },
    request: {
      allow: async ({ params }, ctx) => void (await mustSeeRequest(ctx, params.approval_requestid)),
      run: ({ params }, ctx) => representRequest(ctx, params.approval_requestid),
    },
    sign: {
      allow: maySign,
      run: async ({ params: { approval_requestid }, body: { password, ...decision } }, ctx) => {
        mustGiveReason(decision);
        let notify = (): void => undefined;
        const signed = await withPassword(ctx, password, async (write) => {
          notify = await sign(write, approval_requestid, decision, 'password');
          return answerRequest(write, approval_requestid);
        });
        notify();
        return signed;
      },
    },
    signWithToken: {
      allow: maySign,
      run: async ({ params: { approval_requestid }, body: { token, ...decision } }, ctx) => {
        mustGiveReason(decision);
        let notify = (): void => undefined;
        const signed = await ctx.write(async (write) => {
          await spendSignOn(write, token, 'token');
          notify = await sign(write, approval_requestid, decision, 'token');
          return answerRequest(write, approval_requestid);
        });
        notify();
        return signed;
      },
    },
  },
  {
    approvalProcess: (ctx, id) => mustFindProcess(ctx.db, Number(id)),
    // The default process of a category is stored as the id.
    approvalDefault: (_ctx, id) => JSON.parse(id) as unknown,
    approvalRequest: (ctx, id) => representRequest(ctx, Number(id)),
  },
);
