import { approvals } from './de/approvals.ts';
import { archives } from './de/archives.ts';
import { audit } from './de/audit.ts';
import { board } from './de/board.ts';
import { course, module } from './de/courses.ts';
import { pages, people } from './de/pages.ts';
import { serverStatus } from './de/server-status.ts';
import { site } from './de/site.ts';
import { quiz, training } from './de/training.ts';
import type { AreaName } from './language.ts';

/** The German texts of each area. */
export const german = {
  approvals,
  archives,
  audit,
  board,
  course,
  module,
  pages,
  people,
  quiz,
  serverStatus,
  site,
  training,
} satisfies Record<AreaName, unknown>;
