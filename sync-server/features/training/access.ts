import type { Viewer } from '#server/core/viewer.ts';

import { editors, holds, isSignedIn } from '#server/core/roles.ts';

/** How somebody stands to a module or a course. */
interface Learning {
  isAssigned: boolean;
}

/**
 * Modules and courses: the authors of the site manage both (the permission manage-external-training-module of the
 * specification); who is signed in sees what there is to learn, and those who are to take a course play what is in it.
 */
export const trainingRules = {
  'module.see': (viewer: Viewer, _module: null): boolean => isSignedIn(viewer),
  'module.manage': (viewer: Viewer, _module: null): boolean => holds(viewer, editors),
  'module.play': (viewer: Viewer, module: Learning): boolean => isSignedIn(viewer) && module.isAssigned,
  'course.see': (viewer: Viewer, course: Learning): boolean =>
    holds(viewer, editors) || (isSignedIn(viewer) && course.isAssigned),
  'course.manage': (viewer: Viewer, _course: null): boolean => holds(viewer, editors),
};
