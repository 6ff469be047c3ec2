import { plantHere } from '#test/support/planted-fault.ts';

import { plantedFaults } from './planted-faults.ts';

/** Loaded before the server (`--import`): plants the fault named by BENCHBOOK_HISTORY_FAULT into its modules. */
const fault = plantedFaults.find(({ name }) => name === process.env['BENCHBOOK_HISTORY_FAULT']);
if (fault !== undefined) plantHere(fault);
