import { app, difficulty, loss, status, unit } from './de/app.ts';
import { board } from './de/board.ts';
import { bullets } from './de/bullets.ts';
import { comments } from './de/comments.ts';
import { conflict } from './de/conflict.ts';
import { history } from './de/history.ts';
import { library } from './de/library.ts';
import { offline } from './de/offline.ts';
import { palette } from './de/palette.ts';
import { player } from './de/player.ts';
import { activity, sync } from './de/sync.ts';
import type { AreaName } from './language.ts';

/** The German texts of each area. */
export const german = {
  activity,
  app,
  board,
  bullets,
  comments,
  conflict,
  difficulty,
  history,
  library,
  loss,
  offline,
  palette,
  player,
  status,
  sync,
  unit,
} satisfies Record<AreaName, unknown>;
