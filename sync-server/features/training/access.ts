import type { Viewer } from '#server/core/viewer.ts';

import { editors, holds, isSignedIn } from '#server/core/roles.ts';

/** The relation of a viewer to a module or a course. */
interface Learning {
  isAssigned: boolean;
}

/**
 * Site authors manage modules and courses (the permission manage-external-training-module of the specification).
 * Everyone who is signed in sees modules; people who are assigned a course can play its modules.
 */
export const trainingRules = {
  'module.see': (viewer: Viewer, _module: null): boolean => isSignedIn(viewer),
  'module.manage': (viewer: Viewer, _module: null): boolean => holds(viewer, editors),
  'module.play': (viewer: Viewer, module: Learning): boolean => isSignedIn(viewer) && module.isAssigned,
  'course.see': (viewer: Viewer, course: Learning): boolean =>
    holds(viewer, editors) || (isSignedIn(viewer) && course.isAssigned),
  'course.manage': (viewer: Viewer, _course: null): boolean => holds(viewer, editors),
};
