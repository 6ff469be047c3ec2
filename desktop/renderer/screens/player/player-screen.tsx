import { BookX } from 'lucide-react';
import { useState } from 'react';
import { Redirect } from 'wouter';

import type { PlayableGuide } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { VisuallyHidden } from '#desktop/renderer/ui/visually-hidden.tsx';
import { Workplace } from '#desktop/renderer/ui/workplace.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';
import { EmptyPage } from '../shell/empty-page.tsx';
import { LeftGuide, useHasLeft } from '../shell/left-guide.tsx';

import { ConclusionPage } from './conclusion-page.tsx';
import { useGuideOrders, useStepTimes } from './guide-orders.ts';
import { KeyHelp } from './key-help.tsx';
import { OverviewPage } from './overview-page.tsx';
import { PlayerBar } from './player-bar.tsx';
import { PlayerLead } from './player-lead.tsx';
import { usePlayerKeys } from './player-keys.ts';
import { usePlayerPlaces, type PlayerPage } from './player-page.ts';
import { StepList } from './step-list.tsx';
import { StepPage } from './step-page.tsx';

/** What do I do now? */
export function PlayerScreen({ guideid }: { guideid: string }) {
  const guide = useLive('guide', guideid);
  const hasLeft = useHasLeft(guideid, guide);
  if (guide !== null) return <Player guide={guide} />;
  return hasLeft ? <LeftGuide guideid={guideid} /> : <NoGuide guideid={guideid} />;
}

/** A guide that was never saved can be written on, but not read yet. */
function NoGuide({ guideid }: { guideid: string }) {
  const draft = useLive('draft', guideid);
  if (draft !== null) return <Redirect to={`/guides/${draft.guideid}/edit`} replace />;
  return (
    <EmptyPage title={text.player.missing} icon={<BookX />} wayOut={{ href: '/', words: text.app.toLibrary }}>
      {text.player.missingHint}
    </EmptyPage>
  );
}

function Player({ guide }: { guide: PlayableGuide }) {
  const places = usePlayerPlaces(guide);
  const orders = useGuideOrders(guide.guideid);
  const [showsKeys, setShowsKeys] = useState(false);
  const { page } = places;
  useStepTimes(orders.open, page, guide.guideid);
  usePlayerKeys({
    ArrowRight: places.next,
    PageDown: places.next,
    ArrowLeft: places.previous,
    PageUp: places.previous,
    Home: places.toOverview,
    End: places.toConclusion,
    '?': () => setShowsKeys(true),
  });
  return (
    <>
      <title>{text.app.title(guide.title)}</title>
      <PlayerLead guide={guide} places={places} order={orders.open} />
      <Workplace
        list={<StepList guide={guide} places={places} order={orders.open} />}
        bar={
          <PlayerBar
            guide={guide}
            places={places}
            order={orders.open}
            onShowKeys={() => setShowsKeys(true)}
          />
        }
      >
        {page.kind === 'overview' && <OverviewPage guide={guide} suspended={orders.suspended} />}
        {page.kind === 'step' && (
          <StepPage
            key={page.step.stepid}
            number={page.index + 1}
            step={page.step}
            order={orders.open}
            isReadOnly={
              guide.archive !== null || guide.release?.goneSteps.includes(page.step.stepid) === true
            }
          />
        )}
        {page.kind === 'conclusion' && <ConclusionPage guide={guide} />}
      </Workplace>
      <VisuallyHidden as="p" role="status">
        {announcement(guide, page)}
      </VisuallyHidden>
      <KeyHelp isOpen={showsKeys} onClose={() => setShowsKeys(false)} />
    </>
  );
}

function announcement(guide: PlayableGuide, page: PlayerPage): string {
  if (page.kind === 'overview') return text.player.overview;
  if (page.kind === 'conclusion') return text.player.conclusion;
  return text.player.announceStep(page.index + 1, guide.steps.length, page.step.title);
}
