import type { DraftState } from '#desktop/engine/api/records.ts';
import { pathId } from '#shared/rules/guide-content.ts';

import type { EditorNavigation } from './editor-place.ts';

/** Attribute that identifies a field, so that the field of a problem can be found on the page. */
export const placeAttribute = 'data-place';

/**
 * The first place with a problem; null if there is none. `toSave`: includes what is required only for saving.
 */
export function firstProblem({ content, problems }: DraftState, toSave = false): string | null {
  if (toSave && content.title.trim() === '') return pathId({ field: 'title' });
  if (toSave && content.category === '') return pathId({ field: 'category' });
  return problems[0]?.place ?? null;
}

/** Opens the page of the problem and focuses its field. */
export function goToProblem(problem: string, place: EditorNavigation): void {
  const step = /^step:([^/]+)/.exec(problem)?.[1];
  if (step !== undefined) place.toStep(step);
  else if (problem === pathId({ field: 'conclusion_raw' })) place.toConclusion();
  else place.toAbout();
  requestAnimationFrame(() => focusPlace(problem));
}

function focusPlace(problem: string): void {
  const found = [...document.querySelectorAll(`[${placeAttribute}]`)].find(
    (element) => element.getAttribute(placeAttribute) === problem,
  );
  found?.scrollIntoView({ block: 'center' });
  const field = found?.querySelector<HTMLElement>('input, textarea, button');
  field?.focus();
}
