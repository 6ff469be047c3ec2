import { board } from './de/board.ts';
import type { AreaName } from './language.ts';

/** The German texts of each area. */
export const german = { board } satisfies Record<AreaName, unknown>;
