import { useLocation } from 'wouter';
import { navigate, useLocationProperty } from 'wouter/use-browser-location';

import type { GuideContent, StepContent } from '#shared/rules/guide-content.ts';

/**
 * The page of the editor, addressed as in the player, so that editing begins at the page that was being read.
 */
export type EditorPage =
  | { kind: 'about' }
  | { kind: 'step'; index: number; step: StepContent }
  | { kind: 'conclusion' };

const end = '#end';

export interface EditorNavigation {
  page: EditorPage;
  toAbout: () => void;
  toStep: (key: string) => void;
  toConclusion: () => void;
}

function hashOf(key: string): string {
  return `#s${encodeURIComponent(key)}`;
}

/** The address at which the player shows what a page of the editor edits. */
export function playerAddress(guideid: string, page: EditorPage): string {
  return `/guides/${guideid}${page.kind === 'step' ? hashOf(page.step.key) : ''}`;
}

function pageAt(content: GuideContent, ahead: () => GuideContent, hash: string): EditorPage {
  if (hash === end) return { kind: 'conclusion' };
  return stepAt(content, hash) ?? stepAt(ahead(), hash) ?? { kind: 'about' };
}

function stepAt({ steps }: GuideContent, hash: string): EditorPage | null {
  const index = steps.findIndex(({ key }) => hashOf(key) === hash);
  const step = steps[index];
  return step === undefined ? null : { kind: 'step', index, step };
}

/**
 * The page of the editor in the address, and functions that change it. `ahead`: the content with edits that are being applied,
 * in which a step that was just added is.
 */
export function useEditorNavigation(content: GuideContent, ahead: () => GuideContent): EditorNavigation {
  const hash = useLocationProperty(
    () => location.hash,
    () => '',
  );
  const [path] = useLocation();
  const go = (to: string) => navigate(`${path}${to}`, { replace: true });
  return {
    page: pageAt(content, ahead, hash),
    toAbout: () => go(''),
    toStep: (key) => go(hashOf(key)),
    toConclusion: () => go(end),
  };
}
