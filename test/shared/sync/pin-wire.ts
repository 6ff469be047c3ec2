import { existsSync, writeFileSync } from 'node:fs';

import { protocolRange } from '#shared/sync/protocol.ts';
import { breaksOf, pinnedWire, presentWire, wireFile, wireText } from '#test/support/wire-shape.ts';

// Records additions to the wire: `node test/shared/sync/pin-wire.ts`. Other changes are refused.
const file = wireFile(protocolRange.newest);
const now = presentWire();
const breaks = existsSync(file) ? breaksOf(pinnedWire(protocolRange.newest), now) : [];
if (breaks.length > 0) {
  process.stderr.write(
    `These are no additions; devices in the field would not bear them:\n${breaks.join('\n')}\n`,
  );
  process.exitCode = 1;
} else {
  writeFileSync(file, wireText(now));
  process.stdout.write(`Recorded in ${file}\n`);
}
