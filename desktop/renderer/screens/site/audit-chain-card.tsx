import { auditWords } from '#desktop/renderer/text/audit.ts';
import { formatNumber } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Disclosure } from '#desktop/renderer/ui/disclosure.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import type { AuditEntry } from '#shared/model/audit.ts';

import { chainOf } from './audit-chain.ts';
import styles from './audit.module.css';

const words = auditWords.chain;

interface AuditChainProps {
  entries: readonly AuditEntry[];
  isFiltered: boolean;
  /** Row number of an unexplained gap in the log. */
  gap: number | null;
}

/** Shows whether the chain of the shown rows is intact, and how to verify the whole log. */
export function AuditChain({ entries, isFiltered, gap }: AuditChainProps) {
  const chain = chainOf(entries, isFiltered);
  const newest = entries[0];
  return (
    <section className={classNames(styles, 'chain')} aria-label={words.title}>
      {gap !== null && (
        <Notice tone="warn" title={words.gap(gap)}>
          {words.gapHint} <Command>{words.acknowledge}</Command>
        </Notice>
      )}
      {chain.kind === 'broken' && (
        <Notice tone="danger" title={words.broken(chain.seq)}>
          {words.brokenHint}
        </Notice>
      )}
      {chain.kind === 'linked' && (
        <div>
          <Badge tone="ok" look="dot">
            {words.linked(entries.length)}
          </Badge>
        </div>
      )}
      {chain.kind === 'filtered' && <p className={classNames(styles, 'note')}>{words.filtered}</p>}
      <Disclosure summary={words.whole}>
        <p className={classNames(styles, 'note')}>
          {words.wholeHint} <Command>{words.verify}</Command>
        </p>
        {newest !== undefined && (
          <p className={classNames(styles, 'note')}>
            {words.newest(formatNumber(newest.seq))} <Command>{newest.hash}</Command>
          </p>
        )}
      </Disclosure>
    </section>
  );
}

function Command({ children }: { children: string }) {
  return <code className={classNames(styles, 'code')}>{children}</code>;
}
