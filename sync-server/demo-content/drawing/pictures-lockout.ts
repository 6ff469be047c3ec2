import { wholeMachine } from './assemblies.ts';
import { looseBelt, newBelt } from './drive.ts';
import { places } from './grinder.ts';
import { box, hull } from './geometry.ts';
import { flat, onOperatorSide, prism, rubber, shift } from './paint.ts';
import { fromAbove, mat } from './pictures-compare.ts';
import type { Picture } from './sheet.ts';
import * as tools from './tools.ts';

export function lockoutPictures(): Picture[] {
  return [...announcePictures(), ...lockPictures(), ...toolPictures()];
}

function announcePictures(): Picture[] {
  const string = '<path d="M-86.8 -66L-80 -6" stroke="#22303a" stroke-width="1.6"/>';
  const sign = `<g transform="translate(-80 -4) scale(0.92)">${tools.tag(['OUT OF USE', 'Maintenance', 'Line B'])}</g>`;
  return [
    {
      guid: 'LockStep01Image1',
      camera: { x: 520, y: 568, scale: 2.42 },
      bench: 820,
      drawing: wholeMachine() + string + sign,
      markers: [{ shape: 'rectangle', from: [-128, -18, 0], to: [-32, 74, 0], colour: 'violet' }],
    },
    {
      guid: 'LockStep02Image1',
      camera: { x: 260, y: -40, scale: 5 },
      drawing: wholeMachine() + finger(),
      markers: [{ shape: 'circle', at: [90, 168, 116], radius: 22, colour: 'red' }],
    },
  ];
}

/** A neutral arrow that shows where the switch is pressed. */
function finger(): string {
  const [, y, z] = places.switchCentre;
  const arrow = `<path d="M${z + 70} ${y + 10}h-26v-9l-20 15l20 15v-9h26z" fill="#ffffff" stroke="#33424f" stroke-opacity="0.55" stroke-width="2"/>`;
  return onOperatorSide(90, arrow);
}

function lockPictures(): Picture[] {
  const cord = tools.cord('M-128 -10C-190 -10 -200 60 -236 92');
  return [
    {
      guid: 'LockStep03Image1',
      camera: { x: 820, y: 570, scale: 4.4 },
      drawing: [
        cord,
        tools.plugLockout(),
        shift(-70, -10, plugShape()),
        shift(14, 14, tools.padlock()),
        '<path d="M26 4C66 -4 96 8 112 22" fill="none" stroke="#33424f" stroke-width="1.6"/>',
        shift(112, 22, tools.tag(['DO NOT PLUG IN', 'Ana Ruiz', 'Maintenance'])),
      ].join(''),
      markers: [
        { shape: 'rectangle', from: [-140, -66, 0], to: [-4, 40, 0], colour: 'blue' },
        { shape: 'circle', at: [16, 32, 0], radius: 42, colour: 'orange' },
        { shape: 'rectangle', from: [62, 8, 0], to: [162, 104, 0], colour: 'green' },
      ],
    },
  ];
}

/** The visible part of the plug through the clear lid. */
function plugShape(): string {
  return (
    prism(hull(box(-40, -20, 40, 40, 6), box(0, -12, 14, 24, 4)), -5, -4, rubber) +
    flat(box(14, -13, 20, 6, 2), -5, '#dfe5ea') +
    flat(box(14, 7, 20, 6, 2), -5, '#dfe5ea')
  );
}

function toolPictures(): Picture[] {
  return [
    {
      guid: 'LockStep04Image1',
      camera: fromAbove,
      drawing: [
        mat(),
        shift(-168, -4, tools.lyingDriver()),
        tools.spanner([-110, -88], 0, 90),
        shift(-52, 70, tools.lyingHexKey()),
        shift(104, -72, looseBelt(newBelt, 170, 94)),
        shift(-8, 0, tools.pushGauge([22, 22, 9])),
        tools.straightedge([16, 82], [184, 82], 0, 3),
      ].join(''),
      markers: [
        { shape: 'rectangle', from: [-186, -86, 0], to: [-142, 94, 0], colour: 'red' },
        { shape: 'rectangle', from: [-142, -122, 0], to: [-76, 126, 0], colour: 'orange' },
        { shape: 'rectangle', from: [-72, -38, 0], to: [-6, 92, 0], colour: 'yellow' },
        { shape: 'rectangle', from: [10, -126, 0], to: [198, -18, 0], colour: 'green' },
        { shape: 'rectangle', from: [10, 0, 0], to: [184, 44, 0], colour: 'lightBlue' },
        { shape: 'rectangle', from: [10, 64, 0], to: [192, 90, 0], colour: 'violet' },
      ],
    },
  ];
}
