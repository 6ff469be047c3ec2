import { Signature } from 'lucide-react';

import type { ApprovalCard } from '#desktop/engine/api/approval-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatSince } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { ListRow, RowList, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Section } from '#desktop/renderer/ui/section.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

import { Page } from '../shell/page.tsx';
import styles from './approvals.module.css';

/** Lists the approval requests, those that wait for this person first. */
export function ApprovalsScreen() {
  const cards = useLive('approvals');
  const mine = cards.filter((card) => card.mine);
  const others = cards.filter((card) => !card.mine);
  return (
    <Page title={text.approvals.title} lead={text.approvals.lead}>
      {cards.length === 0 ? (
        <EmptyState icon={<Signature />} title={text.approvals.nothing}>
          {text.approvals.nothingHint}
        </EmptyState>
      ) : (
        <div className={classNames(styles, 'page')}>
          <Cards title={text.approvals.waiting} cards={mine} />
          <Cards title={text.approvals.others} cards={others} />
        </div>
      )}
    </Page>
  );
}

function Cards({ title, cards }: { title: string; cards: readonly ApprovalCard[] }) {
  const now = useNow();
  const prepared = useLive('preparedDecisions');
  if (cards.length === 0) return null;
  return (
    <Section title={title}>
      <RowList>
        {cards.map((card) => (
          <ListRow
            key={card.requestid}
            end={
              <>
                {(prepared.get(card.requestid)?.decision ?? null) !== null && (
                  <Badge tone="accent">{text.approvals.prepared}</Badge>
                )}
                <Badge>{text.approvals.purposes[card.purpose]}</Badge>
              </>
            }
          >
            <RowTitle href={`/approvals/${card.guideid}`}>{card.title}</RowTitle>
            <Note>{`${card.process} · ${text.approvals.by(card.requester, formatSince(card.since, now))}`}</Note>
            <Note>{text.approvals.progress(card.stage, card.signed, card.needed)}</Note>
          </ListRow>
        ))}
      </RowList>
    </Section>
  );
}
