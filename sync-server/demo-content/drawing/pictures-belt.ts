import { behind, coveredDrive, leftWheel, openDrive, wholeMachine } from './assemblies.ts';
import * as drive from './drive.ts';
import { box, circle } from './geometry.ts';
import * as grinder from './grinder.ts';
import { places, pulleyDistance } from './grinder.ts';
import { along, flat, shift } from './paint.ts';
import { comparePictures, grooveWithBelt, sections } from './pictures-compare.ts';
import type { Camera, Marker, MarkerColour, Picture } from './sheet.ts';
import * as tools from './tools.ts';

const { newBelt, oldBelt } = drive;

function rings(
  colour: MarkerColour,
  radius: number,
  at: readonly (readonly [number, number])[],
  z: number,
): Marker[] {
  return at.map(([x, y]) => ({ shape: 'circle', at: [x, y, z], radius, colour }));
}

const leftEnd: Camera = { x: 720, y: 480, scale: 3.2 };
const driveView: Camera = { x: 700, y: 400, scale: 3.7 };
const plateView: Camera = { x: 640, y: -120, scale: 5.6 };

const switchAt: Marker = { shape: 'circle', at: places.switchCentre, radius: 34, colour: 'red' };

export function beltPictures(): Picture[] {
  return [
    ...unplugPictures(),
    ...guardPictures(),
    ...nutPictures(),
    ...coverPictures(),
    ...platePictures(),
    ...oldBeltPictures(),
    ...comparePictures(),
    ...seatPictures(),
    ...tensionPictures(),
    ...runPictures(),
  ];
}

function unplugPictures(): Picture[] {
  const lead = tools.cord('M-60 222C-150 196 -196 196 -206 222C-214 244 -176 262 -160 268');
  return [
    {
      guid: 'BeltStep01Image1',
      camera: { x: 650, y: 495, scale: 2.2 },
      bench: 740,
      drawing:
        shift(-218, 20, tools.socket()) +
        lead +
        shift(-160, 268, shift(-4, 0, plugTurned())) +
        wholeMachine(true),
      markers: [switchAt, { shape: 'circle', at: [-126, 262, 0], radius: 40, colour: 'blue' }],
    },
    {
      guid: 'BeltStep01Image2',
      camera: { x: 430, y: 660, scale: 5 },
      drawing: wholeMachine(true),
      markers: [{ shape: 'circle', at: [66, -45, 0], radius: 30, colour: 'green' }],
    },
  ];
}

/** The plug with its pins to the right. */
function plugTurned(): string {
  return `<g transform="rotate(180)">${tools.plug()}</g>`;
}

function guardPictures(): Picture[] {
  const off = behind() + coveredDrive() + leftWheel(true) + grinder.toolRest();
  return [
    {
      guid: 'BeltStep02Image1',
      camera: { x: 760, y: 540, scale: 3.3 },
      bench: 980,
      drawing: wholeMachine(true) + tools.driver([20, 96, -44]),
      markers: rings('red', 17, places.guardScrews, -44),
    },
    {
      guid: 'BeltStep02Image2',
      camera: { x: 840, y: 500, scale: 2.7 },
      bench: 900,
      drawing: off + along(-165, grinder.guardShell() + guardHoles()),
      markers: [{ shape: 'arrow', from: [-20, 142, -60], to: [-20, 142, -200], colour: 'blue' }],
    },
  ];
}

function guardHoles(): string {
  return places.guardScrews.map(([x, y]) => flat(circle(x, y, 4.5, 32), -40, '#16282d')).join('');
}

function nutPictures(): Picture[] {
  const apart = [
    along(-74, grinder.innerFlange()),
    along(-230, grinder.wheel()),
    along(-292, grinder.outerFlange()),
    along(-338, grinder.looseNut()),
  ].join('');
  return [
    {
      guid: 'BeltStep03Image1',
      camera: leftEnd,
      bench: 960,
      drawing: [
        behind(),
        coveredDrive(),
        leftWheel(),
        tools.wedge(),
        grinder.toolRest(),
        tools.spanner([0, 0], -25, 200),
        tools.turnArrow([0, 0], -26, 58, -150, -60),
      ].join(''),
      markers: [
        { shape: 'circle', at: [0, 0, -24], radius: 30, colour: 'red' },
        { shape: 'rectangle', from: [90, -36, 0], to: [150, 10, 0], colour: 'orange' },
      ],
    },
    {
      guid: 'BeltStep03Image2',
      camera: { x: 930, y: 420, scale: 2.55 },
      bench: 860,
      drawing: behind() + coveredDrive() + tools.axis([0, 0, -432], [0, 0, -34]) + apart,
      markers: [
        { shape: 'arrow', from: [0, 132, -100], to: [0, 132, -330], colour: 'blue' },
        { shape: 'circle', at: [26, -38, -230], radius: 16, colour: 'lightBlue' },
      ],
    },
  ];
}

function coverPictures(): Picture[] {
  const drawnApart = openDrive(drive.beltOnPulleys(oldBelt)) + along(-92, drive.beltCover(false));
  return [
    {
      guid: 'BeltStep04Image1',
      camera: { x: 660, y: 400, scale: 3.7 },
      bench: 960,
      drawing: behind() + coveredDrive() + tools.driver([-37, -33, 58]),
      markers: [
        ...rings('red', 15, places.coverScrews, 60),
        { shape: 'rectangle', from: [-30, 168, 45], to: [30, 186, 45], colour: 'blue' },
      ],
    },
    {
      guid: 'BeltStep04Image2',
      camera: { x: 820, y: 400, scale: 3.2 },
      bench: 940,
      drawing: drawnApart + screwsLaidOut(),
      markers: [
        { shape: 'arrow', from: [-16, -66, 10], to: [-16, -66, -96], colour: 'blue' },
        { shape: 'rectangle', from: [-218, 158, 0], to: [-132, 236, 0], colour: 'red' },
      ],
    },
  ];
}

/** The three screws on a cloth, in the order of their positions. */
function screwsLaidOut(): string {
  return shift(
    -200,
    198,
    [
      flat(box(-12, -34, 74, 68, 5), 0, '#eef1f2'),
      flat(box(-12, -34, 74, 68, 5), 0, 'none', 'stroke="#c3ced6" stroke-width="1.5"'),
      shift(4, -18, tools.lyingScrew(19)),
      shift(36, -18, tools.lyingScrew(19)),
      shift(14, 14, tools.lyingScrew(34)),
    ].join(''),
  );
}

function platePictures(): Picture[] {
  const clamp: Marker = { shape: 'circle', at: places.clampBolt, radius: 20, colour: 'red' };
  const screw: Marker = { shape: 'circle', at: [62, 72, 52], radius: 22, colour: 'yellow' };
  return [
    {
      guid: 'BeltStep05Image1',
      camera: driveView,
      bench: 960,
      drawing: openDrive(drive.beltOnPulleys(oldBelt)),
      markers: [clamp, screw],
    },
    {
      guid: 'BeltStep05Image2',
      camera: plateView,
      drawing:
        openDrive(drive.beltOnPulleys(oldBelt), true) +
        tools.hexKey(places.clampBolt, 62, 70) +
        tools.turnArrow([66, 150], 26, 70, 50, 16, 5),
      markers: [{ shape: 'arrow', from: [30, 230, 60], to: [30, 186, 60], colour: 'violet' }],
    },
  ];
}

function oldBeltPictures(): Picture[] {
  const hanging = along(-46, shift(0, 10, drive.beltOnPulleys(oldBelt)));
  return [
    {
      guid: 'BeltStep06Image1',
      camera: driveView,
      bench: 960,
      drawing: openDrive('', true) + hanging + grinder.arbor(0),
      markers: [
        { shape: 'arrow', from: [-2, 150, 36], to: [-2, 150, -40], colour: 'blue' },
        { shape: 'arrow', from: [-4, -48, 20], to: [-4, -48, -60], colour: 'lightBlue' },
      ],
    },
    {
      guid: 'BeltStep06Image2',
      camera: { x: 640, y: 360, scale: 4.2 },
      drawing: openDrive('', true),
      markers: [
        { shape: 'circle', at: [0, 0, 50], radius: 42, colour: 'orange' },
        { shape: 'circle', at: [0, pulleyDistance - 4, 50], radius: 36, colour: 'orange' },
      ],
    },
  ];
}

function seatPictures(): Picture[] {
  return [
    {
      guid: 'BeltStep08Image1',
      camera: driveView,
      bench: 960,
      drawing: openDrive(drive.beltOnPulleys(newBelt), true) + tools.turnArrow([0, 146], 40, 44, 20, 120, 6),
      markers: [
        { shape: 'circle', at: [0, 0, 48], radius: 44, colour: 'lightBlue' },
        { shape: 'circle', at: [0, 146, 48], radius: 38, colour: 'blue' },
      ],
    },
    {
      guid: 'BeltStep08Image2',
      camera: sections,
      drawing: grooveWithBelt(-84, 'good') + grooveWithBelt(76, 'twisted'),
      markers: [
        { shape: 'circle', at: [-84, -24, 0], radius: 52, colour: 'green' },
        { shape: 'circle', at: [76, -30, 0], radius: 58, colour: 'orange' },
      ],
    },
  ];
}

function tensionPictures(): Picture[] {
  const rule = tools.straightedge([37, -12], [29, 162], 55, 58);
  return [
    {
      guid: 'BeltStep09Image1',
      camera: { x: 560, y: 330, scale: 4.6 },
      drawing: openDrive(drive.beltOnPulleys(newBelt, 4)) + rule + tools.pushGauge([29, 75, 50]),
      markers: [{ shape: 'circle', at: [30, 75, 50], radius: 24, colour: 'violet' }],
    },
    {
      guid: 'BeltStep09Image2',
      camera: plateView,
      drawing:
        openDrive(drive.beltOnPulleys(newBelt)) +
        tools.hexKey(places.clampBolt, 62, 70) +
        tools.turnArrow([66, 150], 26, 70, 75, 108, 5),
      markers: [
        { shape: 'circle', at: places.clampBolt, radius: 22, colour: 'red' },
        { shape: 'circle', at: [62, 72, 52], radius: 22, colour: 'yellow' },
      ],
    },
  ];
}

function runPictures(): Picture[] {
  const turning = [
    tools.turnArrow([0, 0], 0, 78, -38, 20, 6),
    along(302, tools.turnArrow([0, 0], 0, 82, -38, 20, 6)),
  ].join('');
  return [
    {
      guid: 'BeltStep10Image1',
      camera: { x: 520, y: 568, scale: 2.42 },
      bench: 820,
      drawing: wholeMachine(false, true) + turning,
      markers: [
        switchAt,
        { shape: 'rectangle', from: [46, -104, -14], to: [128, 66, -14], colour: 'orange' },
      ],
    },
    {
      guid: 'BeltGuideCover01',
      camera: { x: 499, y: 572, scale: 2.45 },
      bench: 860,
      drawing: openDrive(drive.beltOnPulleys(newBelt)),
      markers: [],
    },
  ];
}
