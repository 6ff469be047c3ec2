import * as drive from './drive.ts';
import * as grinder from './grinder.ts';

/** Everything behind the drive: shadow, right end, base and casting. */
export function behind(isOn = false): string {
  return grinder.shadow() + grinder.rightEnd() + grinder.base() + grinder.body(isOn);
}

export function leftWheel(mark = false): string {
  return grinder.innerFlange() + grinder.wheel(mark) + grinder.outerFlange() + grinder.nut();
}

export function coveredDrive(): string {
  return drive.motorPlate() + grinder.bearingBoss() + grinder.arbor() + drive.beltCover() + grinder.arbor(38);
}

/** The machine ready for work. */
export function wholeMachine(mark = false, isOn = false): string {
  return [
    behind(isOn),
    coveredDrive(),
    grinder.guardInside(),
    leftWheel(mark),
    grinder.guardShell(),
    grinder.guardScrews(),
    grinder.toolRest(),
  ].join('');
}

/** The machine without the wheel and with the drive uncovered. */
export function openDrive(belt: string, slack = false): string {
  return [
    behind(),
    drive.casingHoles(),
    drive.motorPlate(slack),
    grinder.bearingBoss(),
    drive.pulleys('back', slack),
    belt,
    grinder.arbor(60),
    drive.pulleys('front', slack),
    drive.motorShaft(slack),
    grinder.arbor(42),
  ].join('');
}
