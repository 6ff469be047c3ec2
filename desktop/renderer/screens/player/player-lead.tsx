import { ChevronDown, ChevronLeft } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-aria-components';

import type { PlayableGuide, WorkOrder } from '#desktop/engine/views/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';

import { guideHref } from '../library/guide-address.ts';
import { ShellLead } from '../shell/shell-lead.tsx';
import styles from './player-lead.module.css';
import type { PlayerPlaces } from './player-page.ts';
import { StepList } from './step-list.tsx';

interface PlayerLeadProps {
  guide: PlayableGuide;
  places: PlayerPlaces;
  order: WorkOrder | null;
}

/** In the header: back to the category, the guide, and where the step list is folded, the place in it. */
export function PlayerLead({ guide, places, order }: PlayerLeadProps) {
  const place = placeOf(guide);
  return (
    <ShellLead>
      <div className={classNames(styles, 'lead')}>
        <Link className={classNames(styles, 'back')} href={place.href} aria-label={place.name}>
          <ChevronLeft aria-hidden="true" />
          <span className={classNames(styles, 'category')}>{place.name}</span>
        </Link>
        <span className={classNames(styles, 'title')}>{guide.title}</span>
        <span className={classNames(styles, 'revision')}>
          <Badge tone="accent">{versionOf(guide)}</Badge>
        </span>
        <StepFold guide={guide} places={places} order={order} />
      </div>
    </ShellLead>
  );
}

function versionOf({ archive, release, revisionid }: PlayableGuide): string {
  if (archive !== null) return text.archives.ofArchive;
  return release === null ? text.player.revision(revisionid) : text.player.release(release.title);
}

/** Where the way back leads: to the archive, to the guide that asks for this one, or to the category in the library. */
function placeOf({ archive, release, category }: PlayableGuide): { name: string; href: string } {
  if (archive !== null) return { name: archive.title, href: `/archives/${archive.archiveid}` };
  if (release !== null) return { name: release.by.title, href: guideHref(release.by.guideid) };
  if (category === '') return { name: text.app.library, href: '/' };
  return { name: category, href: `/library/${encodeURIComponent(category)}` };
}

function StepFold({ guide, places, order }: PlayerLeadProps) {
  const { page } = places;
  const [isOpen, setIsOpen] = useState(false);
  const total = guide.steps.length;
  const isStep = page.kind === 'step';
  const words = isStep
    ? text.player.stepOf(page.index + 1, total)
    : page.kind === 'overview'
      ? text.player.overview
      : text.player.conclusion;
  return (
    <div className={classNames(styles, 'fold')}>
      <Button
        onPress={() => setIsOpen(true)}
        iconEnd={<ChevronDown aria-hidden="true" />}
        {...(isStep && { label: text.player.openSteps(page.index + 1, total) })}
      >
        {words}
      </Button>
      <Dialog
        title={text.player.stepList}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        closeLabel={text.app.close}
      >
        <StepList guide={guide} places={places} order={order} onChosen={() => setIsOpen(false)} />
      </Dialog>
    </div>
  );
}
