import { inLanguage } from '../language.ts';

/** The viewfinder. */
export const cameraText = inLanguage('camera', {
  title: 'Take a photo',
  scanTitle: 'Scan a code',
  scanHint: 'Hold the code in front of the camera.',
  view: 'What the camera shows',
  taken: 'The photo',
  take: 'Take the photo',
  retake: 'Take another',
  use: 'Use this photo',
  switch: 'Other camera',
  light: 'Light',
  starting: 'The camera starts …',
  chooseFile: 'Choose a file',
  again: 'Try again',
  noFiles: 'Files cannot be chosen at a station. Do this on another device.',
  missing: 'There is no camera',
  missingHint: 'The app finds no camera. Connect one, or take the photo on a phone.',
  denied: 'The app may not use the camera',
  deniedHint:
    'Allow it in the settings of the browser, by the symbol beside the address of this page, or in the privacy settings of the computer. Then try again.',
  busy: 'The camera does not start',
  busyHint: 'Another program may be using it. Close that program, then try again.',
});
