import type { ActionContext } from '../features/calls.ts';
import type { Services } from '../features/services.ts';
import { quizActions, quizViews } from './quizzes.ts';

/** The views of all areas. Their types follow from the areas. */
export function areaViews(services: Services) {
  return { ...quizViews(services) };
}

/** The actions of all areas. */
export function areaActions(context: ActionContext) {
  return { ...quizActions(context) };
}

export type AreaViews = ReturnType<typeof areaViews>;
export type AreaActions = ReturnType<typeof areaActions>;
