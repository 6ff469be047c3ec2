import type { Lease } from '#server/storage/leases.ts';

import type { Services } from './services.ts';

/** Services whose writes are refused with `LeaseLost` once this node has lost the lease. */
export function fenced(services: Services, lease: Lease): Services {
  const { storage } = services;
  return {
    ...services,
    storage: {
      ...storage,
      write: (origin, work) =>
        storage.write(origin, async (tx, note) => {
          await lease.mustHold(tx);
          return work(tx, note);
        }),
    },
  };
}
