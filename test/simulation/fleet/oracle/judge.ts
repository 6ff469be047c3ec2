import { brokenDeviations } from './deviations.ts';
import { brokenFollowUps } from './follow-ups.ts';
import { shownElsewhere } from './hidden-words.ts';
import { doubled, markedAgain } from './repetitions.ts';
import { lostFiles, lostWords, undeleted } from './saved-work.ts';
import { orderViews } from './order-views.ts';
import { stationWork } from './stations.ts';
import type { Scene, Violation } from './scene.ts';
import { unfounded, views } from './views.ts';

/** Checks a scene against every rule. */
export function judge(scene: Scene): Violation[] {
  return [
    ...lostWords(scene),
    ...lostFiles(scene),
    ...undeleted(scene),
    ...doubled(scene),
    ...markedAgain(scene),
    ...brokenDeviations(scene),
    ...brokenFollowUps(scene),
    ...views(scene),
    ...orderViews(scene),
    ...unfounded(scene),
    ...shownElsewhere(scene),
    ...stationWork(scene),
  ];
}
