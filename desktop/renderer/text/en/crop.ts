import { message } from '#shared/text/message.ts';

import { inLanguage } from '../language.ts';

/** Words of the dialog in which a picture is cropped and rotated. */
export const cropText = inLanguage('crop', {
  title: 'Crop and rotate',
  opening: 'Opening the picture',
  unreadable: 'This picture cannot be opened here',
  notHere: 'This picture is not on this device',
  notHereHint: 'It can be cropped once the server can be reached.',
  smaller: 'The new picture is made from a smaller copy, because the original is not on this device.',
  still: 'The new picture does not move, even if this one is animated.',
  frame: 'Frame: what stays of the picture',
  keys: 'Drag the frame or its corners, or use the arrow keys · Shift and arrow keys: size · Enter: apply',
  tools: 'Rotation and proportions',
  rotateLeft: 'Rotate left',
  rotateRight: 'Rotate right',
  proportions: 'Proportions of the frame',
  proportionNames: { free: 'Free', fourThree: '4:3' },
  reset: 'Whole picture',
  size: message<[width: string, height: string]>('{width} × {height} pixels', 'width', 'height'),
  dropped: message<[number: number]>(
    '{number, plural, one {# marker is outside the frame and will be removed.} other {# markers are outside the frame and will be removed.}}',
    'number',
  ),
  failed: 'The picture was not changed',
  tooManyPixels: message<[most: number]>(
    'The server takes pictures of up to {most} megapixels. Make the frame smaller.',
    'most',
  ),
  tooLarge: message<[most: number]>(
    'The server takes files of up to {most} MB. Make the frame smaller.',
    'most',
  ),
  cancel: 'Cancel',
  apply: 'Apply',
});
