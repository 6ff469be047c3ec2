import { useLocation } from 'wouter';
import { navigate, useLocationProperty } from 'wouter/use-browser-location';

import type { PlayableGuide, StepView } from '#desktop/engine/api/records.ts';
import { must } from '#shared/must.ts';

/** The page of the player: overview, a step, or the conclusion. */
export type PlayerPage =
  | { kind: 'overview' }
  | { kind: 'step'; index: number; step: StepView }
  | { kind: 'conclusion' };

const end = '#end';

function hashOf(step: StepView): string {
  return `#s${encodeURIComponent(step.stepid)}`;
}

function pageAt(guide: PlayableGuide, hash: string): PlayerPage {
  if (hash === end) return { kind: 'conclusion' };
  const index = guide.steps.findIndex((step) => hashOf(step) === hash);
  return index < 0
    ? { kind: 'overview' }
    : { kind: 'step', index, step: must(guide.steps[index], 'the step') };
}

export interface PlayerPages {
  page: PlayerPage;
  toOverview: () => void;
  toStep: (index: number) => void;
  toConclusion: () => void;
  /** Null on the first page. */
  previous: (() => void) | null;
  /** Null on the last page. */
  next: (() => void) | null;
}

/** The page is stored in the address (`#s<stepid>`), so that links and reloads open the same step. */
export function usePlayerPages(guide: PlayableGuide): PlayerPages {
  const hash = useLocationProperty(
    () => location.hash,
    () => '',
  );
  const [path] = useLocation();
  const page = pageAt(guide, hash);
  const go = (to: string) => navigate(`${path}${to}`, { replace: true });
  const toOverview = () => go('');
  const toConclusion = () => go(end);
  const last = guide.steps.length - 1;
  const toStep = (index: number) => {
    const step = guide.steps[index];
    if (step) go(hashOf(step));
  };
  switch (page.kind) {
    case 'overview':
      return {
        page,
        toOverview,
        toStep,
        toConclusion,
        previous: null,
        next: () => (last < 0 ? toConclusion() : toStep(0)),
      };
    case 'step':
      return {
        page,
        toOverview,
        toStep,
        toConclusion,
        previous: () => (page.index === 0 ? toOverview() : toStep(page.index - 1)),
        next: () => (page.index === last ? toConclusion() : toStep(page.index + 1)),
      };
    case 'conclusion':
      return {
        page,
        toOverview,
        toStep,
        toConclusion,
        previous: () => (last < 0 ? toOverview() : toStep(last)),
        next: null,
      };
    default:
      return page satisfies never;
  }
}
