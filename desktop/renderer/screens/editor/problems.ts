import type { DraftState } from '#desktop/engine/api/records.ts';
import { placeId } from '#shared/rules/guide-content.ts';

import type { EditorPlace } from './editor-place.ts';

/** Attribute of the fields, so that what is wrong with them can be found on the page. */
export const placeAttribute = 'data-place';

/** The place that a person should look at first. `toSave`: what only a save needs counts too. */
export function firstProblem({ content, problems }: DraftState, toSave = false): string | null {
  if (toSave && content.title.trim() === '') return placeId({ field: 'title' });
  if (toSave && content.category === '') return placeId({ field: 'category' });
  return problems[0]?.place ?? null;
}

/** Goes to the part of the guide that holds the place, and puts the keyboard there. */
export function goToProblem(problem: string, place: EditorPlace): void {
  const step = /^step:([^/]+)/.exec(problem)?.[1];
  if (step !== undefined) place.toStep(step);
  else if (problem === placeId({ field: 'conclusion_raw' })) place.toConclusion();
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
