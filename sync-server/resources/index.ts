import type { Mounted } from '#server/http/handle.ts';

import { guideHandlers } from './guides/handlers.ts';
import { tokenHandlers } from './tokens/handlers.ts';
import { userHandlers } from './users/handlers.ts';

/** Every resource of the surface. */
export const resources: Mounted[] = [tokenHandlers, userHandlers, guideHandlers];
