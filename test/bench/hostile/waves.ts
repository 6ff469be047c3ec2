/** Attacks from a separate thread: their cost for the attacker does not delay the honest client. */
import { parentPort } from 'node:worker_threads';

import { must } from '#shared/must.ts';

import type { Target } from './attack.ts';
import { attacks } from './attacks.ts';

const port = must(parentPort, 'a thread that asked for this one');
port.on('message', ({ name, target }: { name: string; target: Target }) => {
  const attack = must(
    attacks.find((one) => one.name === name),
    name,
  );
  void attack.wave(target).then((statuses) => port.postMessage(statuses));
});
