/** Opens a data folder, and prints the modules of CommonJS packages that were loaded. */
import { createRequire } from 'node:module';

import { must } from '#shared/must.ts';
import { openServices } from '#server/features/open-services.ts';
import '#server/main.ts';

const services = await openServices({ dataDir: must(process.argv[2], 'the data folder') });
await services.storage[Symbol.asyncDispose]();
process.stdout.write(Object.keys(createRequire(import.meta.url).cache).join('\n'));
process.exit(0);
