import { newDisk, type Disk } from '#test/desktop/engine/support/device.ts';

import { filesOf, storageHolding, type OldProfile } from './load.ts';

/** The disk of the recorded device, optionally without its journal or its databases. */
export function diskOf(
  profile: OldProfile,
  has: Partial<Record<'journal' | 'collections', false>> = {},
): Disk {
  return {
    ...newDisk(),
    secrets: new Map(Object.entries(profile.secrets)),
    journal: has.journal === false ? new Map() : filesOf(profile.journal),
    storage: storageHolding(has.collections === false ? {} : profile.collections),
  };
}
