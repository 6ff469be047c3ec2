import { approvals } from '#shared/api/approvals.ts';
import { guides } from '#shared/api/guides.ts';
import { stepForms } from '#shared/api/step-forms.ts';
import type { ApprovalProcess, ApprovalRequest } from '#shared/model/approval.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import { guideDifference } from '#shared/rules/guide-difference.ts';
import { sameValue } from '#shared/rules/same-value.ts';

import type { ApprovalActions } from '../api/approvals.ts';
import type { Core } from '../account/core.ts';
import { serverClient } from './server-client.ts';
import { writeUnchanged } from './unchanged.ts';

const tables = { approvals, guides, stepForms };

/** What the editor of a process changes. */
const formOf = ({ name, description, stages }: Pick<ApprovalProcess, 'name' | 'description' | 'stages'>) => ({
  name,
  description,
  stages,
});

/** Actions about approvals. They go to the server directly; nothing waits on the device, and no password is stored. */
export function approvalActions({
  sources: { core },
}: {
  sources: { core: Pick<Core, 'request' | 'sync'> };
}): Omit<ApprovalActions, 'prepareDecision' | 'adoptDecisions'> {
  const client = serverClient(core, tables);
  /** The last approved request of the guide before this one. */
  async function lastApproved({ guideid, approval_requestid: id }: ApprovalRequest) {
    const query = { guideid: String(guideid), status: 'approved' as const, limit: 200 };
    const before = await client.approvals.requests({ query });
    return before.find((one) => one.approval_requestid < id);
  }
  async function formsOf(request: Pick<ApprovalRequest, 'forms'> | undefined): Promise<StepForm[]> {
    const forms: StepForm[] = [];
    for (const { form_revisionid } of request?.forms ?? [])
      forms.push(await client.stepForms.ofFormRevision({ params: { form_revisionid } }));
    return forms;
  }
  return {
    async signApproval(requestid, { revisionHash, ...decision }, password) {
      const params = { approval_requestid: String(requestid) };
      const signed = await client.approvals.sign({
        params,
        body: { ...decision, revision_hash: revisionHash, password },
      });
      core.sync.now();
      return signed;
    },
    async compareApproval(requestid) {
      const request = await client.approvals.request({ params: { approval_requestid: requestid } });
      const { guideid, guide_revisionid, last_public_revisionid: last } = request;
      if (last === null) return null;
      const read = (version: { revisionid: number } | { guide_revisionid: number }) =>
        client.guides.read({ params: { guideid }, query: { ...version, excludePrerequisiteSteps: '' } });
      const forms = { before: await formsOf(await lastApproved(request)), after: await formsOf(request) };
      return guideDifference(await read({ revisionid: last }), await read({ guide_revisionid }), forms);
    },
    listProcesses: () => client.approvals.processes({ query: { limit: 200 } }),
    saveProcess: (seen, body) => {
      if (seen === null) return client.approvals.createProcess({ body });
      const params = { approval_processid: seen.approval_processid };
      return writeUnchanged(core, {
        endpoint: approvals.process,
        args: { params },
        isAsSeen: (now) => sameValue(formOf(now), formOf(seen)),
        write: (options) => client.approvals.patchProcess({ params, body }, options),
      });
    },
    async setDefaultProcess(wikiid, processid) {
      if (processid === null) await client.approvals.removeDefault({ params: { wikiid } });
      else await client.approvals.setDefault({ params: { wikiid, approval_processid: processid } });
    },
  };
}
