import { CloudCheck } from 'lucide-react';
import { useState } from 'react';

import type { GuideConflicts } from '#desktop/engine/api/conflict-records.ts';
import type { PlayableGuide } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

import { pageAddress } from '../pages/page-address.ts';
import { Page } from '../shell/page.tsx';
import { ConflictCase } from './conflict-case.tsx';
import { ConflictList } from './conflict-list.tsx';
import styles from './conflict-screen.module.css';

/** Conflicts of a page are named `wiki:{wikiid}`. */
const pagePrefix = 'wiki:';

/** Resolves the conflicts of a guide or page. */
export function ConflictScreen({ guideid }: { guideid: string }) {
  const found = useLive('conflict', guideid);
  const [hadSome, setHadSome] = useState(false);
  const isOver = found === null || found.conflicts.length === 0;
  if (!isOver && !hadSome) setHadSome(true);
  if (found !== null && !isOver) return <Conflicts found={found} />;
  return guideid.startsWith(pagePrefix) ? (
    <ResolvedPage wikiid={guideid.slice(pagePrefix.length)} isDecided={hadSome} />
  ) : (
    <ResolvedGuide guideid={guideid} isDecided={hadSome} />
  );
}

function Conflicts({ found }: { found: GuideConflicts }) {
  const [wanted, setWanted] = useState<string | null>(null);
  const index = Math.max(
    0,
    found.conflicts.findIndex(({ conflictid }) => conflictid === wanted),
  );
  const conflict = found.conflicts[index];
  if (conflict === undefined) return null;
  return (
    <div className={classNames(styles, 'screen')}>
      <title>{text.app.title(text.conflict.title(found.title))}</title>
      <aside className={classNames(styles, 'side')}>
        <ConflictList found={found} chosen={conflict.conflictid} onChoose={setWanted} />
      </aside>
      <ConflictCase key={conflict.conflictid} found={found} conflict={conflict} number={index + 1} />
    </div>
  );
}

function decidedHint(state: PlayableGuide['editState'] | undefined): string {
  if (state === 'queued') return text.conflict.decidedWaits;
  return state === 'none' ? text.conflict.decidedSent : text.conflict.decidedHint;
}

function ResolvedGuide({ guideid, isDecided }: { guideid: string; isDecided: boolean }) {
  const state = useLive('guide', guideid)?.editState;
  return (
    <ResolvedConflict
      state={state}
      isDecided={isDecided}
      href={`/guides/${guideid}`}
      toIt={text.conflict.toGuide}
    />
  );
}

function ResolvedPage({ wikiid, isDecided }: { wikiid: string; isDecided: boolean }) {
  const state = useLive('page', wikiid)?.editState;
  return (
    <ResolvedConflict
      state={state}
      isDecided={isDecided}
      href={pageAddress(wikiid)}
      toIt={text.conflict.toPage}
    />
  );
}

interface ResolvedConflictProps {
  state: PlayableGuide['editState'] | undefined;
  isDecided: boolean;
  href: string;
  toIt: string;
}

function ResolvedConflict({ state, isDecided, href, toIt }: ResolvedConflictProps) {
  const title = isDecided ? text.conflict.decided : text.conflict.none;
  return (
    <Page title={title} hideTitle>
      <div role="status">
        <EmptyState
          icon={<CloudCheck />}
          title={title}
          heading="h1"
          action={
            <div className={classNames(styles, 'over')}>
              <ButtonLink href="/sync">{text.conflict.toSync}</ButtonLink>
              <ButtonLink tone="primary" href={href}>
                {toIt}
              </ButtonLink>
            </div>
          }
        >
          {isDecided ? decidedHint(state) : text.conflict.noneHint}
        </EmptyState>
      </div>
    </Page>
  );
}
