import type { ReactNode } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { formatBytes, formatDate } from '#desktop/renderer/text/format.ts';
import { refusedWords } from '#desktop/renderer/text/language.ts';
import { SectionCard } from '#desktop/renderer/ui/card.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import type { ServerStatus } from '#shared/model/site.ts';

const words = text.serverStatus;
const time = (seconds: number) => formatDate(seconds * 1000);

function findingWords({ findings }: { findings: readonly string[] }): string {
  return findings.map((one) => refusedWords(one)).join(' ');
}

/** The state of the backups. */
export function Backups({ backup, children }: Pick<ServerStatus, 'backup'> & { children?: ReactNode }) {
  const { scheduled, last, failed, proof } = backup;
  const isProved = proof?.findings.length === 0;
  return (
    <SectionCard title={words.backups}>
      {!scheduled && <Notice tone="warn" title={words.notScheduled} />}
      <p>{last === null ? words.noBackup : words.lastBackup(time(last.date), formatBytes(last.size))}</p>
      {failed !== null && (
        <Notice tone="danger" title={words.backupFailed(time(failed.date))}>
          {findingWords(failed)}
        </Notice>
      )}
      {proof === null && <p>{words.noProof}</p>}
      {proof !== null && isProved && <p>{words.proved(time(proof.date))}</p>}
      {proof !== null && !isProved && (
        <Notice tone="danger" title={words.proofFailed(time(proof.date))}>
          {findingWords(proof)}
        </Notice>
      )}
      {children}
    </SectionCard>
  );
}
