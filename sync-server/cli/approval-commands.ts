import type { Command } from 'commander';

import { verifyAudit } from '#server/features/audit/verify.ts';
import type { Services } from '#server/core/services.ts';
import { verifySignatures, type BrokenSignature } from '#server/features/approvals/verify.ts';
import { verifyRecordSignatures } from '#server/features/work-log/verify-signatures.ts';

import { FoundFaults, type Answer, type Terminal } from './answers.ts';
import type { Runner } from './terminal.ts';

/**
 * `benchbook approvals verify`.
 *
 * - CLI-13 `approvals verify` checks every signature against the version or record that was signed and against the audit
 *   log, names each that does not match, and then ends with 1.
 */
export function addApprovalCommands(program: Command, runner: Runner): void {
  program
    .command('approvals')
    .description('Signatures on guides and records of work orders')
    .command('verify')
    .description(
      'Check every signature against the version or record that it is about and against the audit log; ends with 1 when one does not fit',
    )
    .action(
      runner.act(async (services, options: { json?: boolean }) => verify(services, runner.terminal, options)),
    );
}

async function verify(services: Services, terminal: Terminal, { json }: { json?: boolean }): Promise<Answer> {
  const { reader } = services.storage;
  const { findings } = await verifyAudit(reader, services.anchors);
  const records = await verifyRecordSignatures(reader);
  const report = { ...(await verifySignatures(reader)), records, log: findings };
  const count = report.signatures + records.signatures;
  if (report.broken.length + records.broken.length + findings.length === 0)
    return {
      data: report,
      lines: [`Each of ${count} signatures fits what was signed, and is as the audit log tells it.`],
    };
  if (json === true) terminal.out(JSON.stringify(report));
  else {
    for (const broken of report.broken) terminal.err(lineOf(broken));
    for (const { name, entryid, reason } of records.broken)
      terminal.err(`${name}, record of work order ${entryid}: ${reason}.`);
    if (findings.length > 0)
      terminal.err(
        'The audit log, which proves the signatures, is not as it was written: see benchbook audit verify.',
      );
  }
  throw new FoundFaults();
}

function lineOf({ name, guideid, guide_revisionid, approval_requestid, reason }: BrokenSignature): string {
  const request = `guide ${guideid}, version ${guide_revisionid}, request ${approval_requestid}: ${reason}.`;
  return name === null ? `The approval of ${request}` : `${name}, ${request}`;
}
