import type { PlayableGuide, WorkOrder } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';

import { useCategoryName } from '../library/category-name.ts';
import { guideHref } from '../library/guide-address.ts';
import { GuideLead, PlaceFold } from '../shell/guide-lead.tsx';
import type { PlayerPages } from './player-page.ts';
import { StepList } from './step-list.tsx';

interface PlayerLeadProps {
  guide: PlayableGuide;
  places: PlayerPages;
  order: WorkOrder | null;
}

/**
 * Header of the player: link to the category, title, and on narrow windows the button that opens the step list.
 */
export function PlayerLead({ guide, places, order }: PlayerLeadProps) {
  const nameOf = useCategoryName();
  return (
    <GuideLead
      back={placeOf(guide, nameOf)}
      title={guide.title}
      badges={<Badge tone="accent">{versionOf(guide)}</Badge>}
      fold={<StepFold guide={guide} places={places} order={order} />}
    />
  );
}

function versionOf({ archive, release, revision }: PlayableGuide): string {
  if (archive !== null) return text.archives.ofArchive;
  if (release !== null) return text.player.release(release.title);
  if (revision === null || revision.unsaved === true) return text.revisions.notNumbered;
  return revision.counted === undefined
    ? text.revisions.withoutNumber
    : text.player.revision(revision.counted.number);
}

/** Target of the back link: the archive, the guide that requires this one, or the category in the library. */
function placeOf(
  { archive, release, category }: PlayableGuide,
  nameOf: (category: string) => string,
): { name: string; href: string } {
  if (archive !== null) return { name: archive.title, href: `/archives/${archive.archiveid}` };
  if (release !== null) return { name: release.by.title, href: guideHref(release.by.guideid) };
  if (category === '') return { name: text.app.library, href: '/' };
  return { name: nameOf(category), href: `/library/${encodeURIComponent(category)}` };
}

function StepFold({ guide, places, order }: PlayerLeadProps) {
  const { page } = places;
  const total = guide.steps.length;
  const names = {
    overview: text.player.overview,
    all: text.player.allSteps,
    conclusion: text.player.conclusion,
  };
  const at = page.kind === 'step' ? page.index + 1 : null;
  return (
    <PlaceFold
      words={page.kind === 'step' ? text.player.stepOf(page.index + 1, total) : names[page.kind]}
      brief={
        page.kind === 'step'
          ? text.player.stepBrief(page.index + 1, total)
          : page.kind === 'all'
            ? text.player.allStepsBrief
            : undefined
      }
      label={at === null ? undefined : text.player.openSteps(at, total)}
      title={text.player.stepList}
    >
      {(onChosen) => <StepList guide={guide} places={places} order={order} onChosen={onChosen} />}
    </PlaceFold>
  );
}
