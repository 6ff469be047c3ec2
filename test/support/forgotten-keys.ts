import type { PlantedFault } from './planted-fault.ts';

/** Edits of the server with which a call repeated under its Idempotency-Key takes effect again. */
export const forgottenKeys: PlantedFault['edits'] = [
  {
    file: 'sync-server/http/call.ts',
    find: 'if (known === undefined) return undefined;',
    replace: 'return undefined;',
  },
  {
    file: 'sync-server/http/idempotency.ts',
    find: 'await storeCall(tx, {',
    replace:
      "await tx.deleteFrom('idempotency').where('userid', '=', userid).where('key', '=', key).execute();\n  await storeCall(tx, {",
  },
];
