import { useLocation } from 'wouter';
import { navigate, useLocationProperty } from 'wouter/use-browser-location';

import type { PlayableGuide, StepView } from '#desktop/engine/api/records.ts';
import { must } from '#shared/must.ts';

/** The page of the player: overview, all steps, a step, or the conclusion. */
export type PlayerPage =
  | { kind: 'overview' }
  | { kind: 'all' }
  | { kind: 'step'; index: number; step: StepView }
  | { kind: 'conclusion' };

const end = '#end';
const all = '#all';

function hashOf(id: string): string {
  return `#s${encodeURIComponent(id)}`;
}

function pageAt(guide: PlayableGuide, hash: string): PlayerPage {
  if (hash === end) return { kind: 'conclusion' };
  if (hash === all) return { kind: 'all' };
  const index = guide.steps.findIndex((step) => hashOf(step.stepid) === hash || hashOf(step.key) === hash);
  return index < 0
    ? { kind: 'overview' }
    : { kind: 'step', index, step: must(guide.steps[index], 'the step') };
}

export interface PlayerPages {
  page: PlayerPage;
  toOverview: () => void;
  toAll: () => void;
  toStep: (index: number) => void;
  toConclusion: () => void;
  /** Null on the first page. */
  previous: (() => void) | null;
  /** Null on the last page. */
  next: (() => void) | null;
}

/**
 * The page is stored in the address (`#s<stepid>`), so that links and reloads open the same step. The address that the
 * editor gives a step (`#s<key>`) opens it too.
 */
export function usePlayerPages(guide: PlayableGuide): PlayerPages {
  const hash = useLocationProperty(
    () => location.hash,
    () => '',
  );
  const [path] = useLocation();
  const page = pageAt(guide, hash);
  const go = (to: string) => navigate(`${path}${to}`, { replace: true });
  const toOverview = () => go('');
  const toAll = () => go(all);
  const toConclusion = () => go(end);
  const last = guide.steps.length - 1;
  const toStep = (index: number) => {
    const step = guide.steps[index];
    if (step) go(hashOf(step.stepid));
  };
  const to = { page, toOverview, toAll, toStep, toConclusion };
  switch (page.kind) {
    case 'overview':
      return { ...to, previous: null, next: () => (last < 0 ? toConclusion() : toStep(0)) };
    case 'all':
      return { ...to, previous: toOverview, next: toConclusion };
    case 'step':
      return {
        ...to,
        previous: () => (page.index === 0 ? toOverview() : toStep(page.index - 1)),
        next: () => (page.index === last ? toConclusion() : toStep(page.index + 1)),
      };
    case 'conclusion':
      return { ...to, previous: () => (last < 0 ? toOverview() : toStep(last)), next: null };
    default:
      return page satisfies never;
  }
}
