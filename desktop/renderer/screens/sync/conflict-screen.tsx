import { CloudCheck, Undo2 } from 'lucide-react';
import { useState } from 'react';

import type { PlayableGuide } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import { pageAddress } from '../pages/page-address.ts';
import { Page } from '../shell/page.tsx';
import { ConflictBoard } from './conflict-board.tsx';
import styles from './conflict-screen.module.css';

/** Conflicts of a page are named `wiki:{wikiid}`. */
const pagePrefix = 'wiki:';

/** Resolves the conflicts of a guide or page. */
export function ConflictScreen({ guideid }: { guideid: string }) {
  const found = useLive('conflict', guideid);
  const [hadSome, setHadSome] = useState(false);
  const isOver = found === null || found.conflicts.length === 0;
  if (!isOver && !hadSome) setHadSome(true);
  if (found !== null && !isOver)
    return (
      <>
        <title>{text.app.title(text.conflict.title(found.title))}</title>
        <ConflictBoard key={found.guideid} found={found} />
      </>
    );
  return guideid.startsWith(pagePrefix) ? (
    <ResolvedPage wikiid={guideid.slice(pagePrefix.length)} isDecided={hadSome} />
  ) : (
    <ResolvedGuide guideid={guideid} isDecided={hadSome} />
  );
}

function decidedHint(state: PlayableGuide['editState'] | undefined, canReopen: boolean): string {
  if (state === 'queued') return canReopen ? text.conflict.decidedOpen : text.conflict.decidedWaits;
  return state === 'none' ? text.conflict.decidedSent : text.conflict.decidedHint;
}

function ResolvedGuide({ guideid, isDecided }: { guideid: string; isDecided: boolean }) {
  const state = useLive('guide', guideid)?.editState;
  return (
    <ResolvedConflict
      id={guideid}
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
      id={`${pagePrefix}${wikiid}`}
      state={state}
      isDecided={isDecided}
      href={pageAddress(wikiid)}
      toIt={text.conflict.toPage}
    />
  );
}

interface ResolvedConflictProps {
  /** Of the conflict screen. */
  id: string;
  state: PlayableGuide['editState'] | undefined;
  isDecided: boolean;
  href: string;
  toIt: string;
}

/**
 * All is decided.
 *
 * - DECIDE-6 Saved decisions can be taken back until they are sent; afterwards the screen does not offer it.
 */
function ResolvedConflict({ id, state, isDecided, href, toIt }: ResolvedConflictProps) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const canReopen = useLive('canReopen', id);
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
              {canReopen && (
                <Button
                  icon={<Undo2 aria-hidden="true" />}
                  onPress={() => act(() => actions.reopenConflicts(id))}
                  isPending={busy}
                >
                  {text.conflict.reopen}
                </Button>
              )}
              <ButtonLink href="/sync">{text.conflict.toSync}</ButtonLink>
              <ButtonLink tone="primary" href={href}>
                {toIt}
              </ButtonLink>
            </div>
          }
        >
          {isDecided ? decidedHint(state, canReopen) : text.conflict.noneHint}
        </EmptyState>
      </div>
    </Page>
  );
}
