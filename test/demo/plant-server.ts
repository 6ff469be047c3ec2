import { plantHere } from '#test/support/planted-fault.ts';

import { plants } from './plant-list.ts';

/** Loaded before the server (`--import`): plants the fault named by BENCHBOOK_DEMO_FAULT into its modules. */
const fault = plants.find((one) => one.name === process.env['BENCHBOOK_DEMO_FAULT']);
if (fault !== undefined) plantHere(fault);
