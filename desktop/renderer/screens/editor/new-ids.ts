import { v7 } from 'uuid';

import { temporaryId } from '#shared/sync/wire.ts';

/** The key of a step made here: the temporary id of what the save will create. */
export function newStepKey(): string {
  return temporaryId(v7());
}

/** The identity of a line made here. */
export function newLineId(): string {
  return v7();
}
