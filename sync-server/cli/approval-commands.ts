import type { Command } from 'commander';

import type { Services } from '#server/http/context.ts';
import { verifySignatures } from '#server/resources/approvals/verify.ts';

import { FoundFaults, type Answer, type Terminal } from './answers.ts';
import type { Runner } from './terminal.ts';

/** `benchbook approvals verify`. */
export function addApprovalCommands(program: Command, runner: Runner): void {
  program
    .command('approvals')
    .description('Signatures on guides')
    .command('verify')
    .description(
      'Check every signature against the version that it is about; ends with 1 when one does not fit',
    )
    .action(
      runner.act(async (services, options: { json?: boolean }) => verify(services, runner.terminal, options)),
    );
}

async function verify(services: Services, terminal: Terminal, { json }: { json?: boolean }): Promise<Answer> {
  const report = await verifySignatures(services.storage.reader);
  if (report.broken.length === 0)
    return { data: report, lines: [`Each of ${report.signatures} signatures fits what was signed.`] };
  if (json === true) terminal.out(JSON.stringify(report));
  else
    for (const { name, guideid, guide_revisionid, approval_requestid, reason } of report.broken)
      terminal.err(
        `${name}, guide ${guideid}, version ${guide_revisionid}, request ${approval_requestid}: ${reason}.`,
      );
  throw new FoundFaults();
}
