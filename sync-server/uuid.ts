import { v4 } from 'uuid';

import type { Services } from './core/context.ts';

/** A new UUID of the injected randomness. */
export function newUuid({ randomBytes }: Pick<Services, 'randomBytes'>): string {
  return v4({ random: randomBytes(16) });
}
