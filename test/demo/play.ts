import { playKiosk } from './kiosk.ts';
import { playMainJob } from './main-job.ts';
import type { Stage } from './stage.ts';

/** The scenes of the demo, in order. Each can be played alone. */
export const scenes = { 'main-job': playMainJob, kiosk: playKiosk } as const;
export type SceneName = keyof typeof scenes;

export function isScene(name: string): name is SceneName {
  return Object.hasOwn(scenes, name);
}

/** Plays one scene, or all of them. Checks use only the screen and the public API. */
export async function play(stage: Stage, only?: SceneName): Promise<void> {
  for (const scene of only === undefined ? Object.values(scenes) : [scenes[only]]) await scene(stage);
}
