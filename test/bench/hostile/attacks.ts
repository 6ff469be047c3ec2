import type { Attack } from './attack.ts';
import { largeGuides, wideBodies } from './bodies.ts';
import { hostilePictures } from './pictures.ts';
import { quizImport, quizSubmission } from './quiz.ts';
import {
  abandonedLoads,
  anonymousUploads,
  drippingGuides,
  drippingModule,
  drippingSignIns,
  escapedReads,
  manyStreams,
  slowBodies,
  spraying,
} from './load.ts';
import { signInFlood } from './sign-ins.ts';

/** All attacks, in the order of measurement. */
export const attacks: Attack[] = [
  quizImport,
  quizSubmission,
  signInFlood,
  wideBodies,
  largeGuides,
  hostilePictures,
  anonymousUploads,
  slowBodies,
  drippingSignIns,
  drippingGuides,
  drippingModule,
  manyStreams,
  abandonedLoads,
  escapedReads,
  spraying,
];
