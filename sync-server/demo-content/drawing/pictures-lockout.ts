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
  const sign = shift(-24, 20, `<g transform="scale(0.92)">${tools.tag(['OUT OF USE', 'Maintenance', 'Line B'])}</g>`);
  const string = '<path d="M-24 20L-30 -52" stroke="#33424f" stroke-width="1.6"/>';
  return [
    {
      guid: 'LockStep01Image1',
      camera: { x: 600, y: 540, scale: 2.42 },
      bench: 800,
      drawing: wholeMachine() + shift(-28, 12, string + sign),
      markers: [{ shape: 'rectangle', from: [-100, 12, -40], to: [4, 118, -40], colour: 'violet' }],
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
      camera: { x: 900, y: 420, scale: 4.2 },
      bench: 900,
      drawing: [
        cord,
        tools.plugLockout(),
        shift(-70, -10, plugShape()),
        shift(14, 14, tools.padlock()),
        '<path d="M26 4C60 0 86 12 100 26" fill="none" stroke="#33424f" stroke-width="1.6"/>',
        shift(100, 26, tools.tag(['DO NOT PLUG IN', 'Ana Ruiz', 'Maintenance'])),
      ].join(''),
      markers: [
        { shape: 'rectangle', from: [-140, -66, 0], to: [-4, 40, 0], colour: 'blue' },
        { shape: 'circle', at: [16, 32, 0], radius: 42, colour: 'orange' },
        { shape: 'rectangle', from: [50, 12, 0], to: [150, 108, 0], colour: 'green' },
      ],
    },
  ];
}

/** What shows of the plug through the clear lid. */
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
      markers: [{ shape: 'rectangle', from: [12, -126, 0], to: [198, -18, 0], colour: 'green' }],
    },
  ];
}
