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

function pageAt(content: GuideContent, hash: string): EditorPage {
  if (hash === end) return { kind: 'conclusion' };
  const index = content.steps.findIndex(({ key }) => hashOf(key) === hash);
  const step = content.steps[index];
  return step === undefined ? { kind: 'about' } : { kind: 'step', index, step };
}

/** The page of the editor in the address, and functions that change it. */
export function useEditorNavigation(content: GuideContent): EditorNavigation {
  const hash = useLocationProperty(
    () => location.hash,
    () => '',
  );
  const [path] = useLocation();
  const go = (to: string) => navigate(`${path}${to}`, { replace: true });
  return {
    page: pageAt(content, hash),
    toAbout: () => go(''),
    toStep: (key) => go(hashOf(key)),
    toConclusion: () => go(end),
  };
}
