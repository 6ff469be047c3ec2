import { argv, env, platform } from 'node:process';

import { startServer } from '#server/main.ts';
import { readConfig } from '#server/platform/config.ts';
import { must } from '#shared/must.ts';

// A server on a data folder, without the app, which takes a while to build. `kill-at.ts` kills it.
const [dataDir = ''] = argv.slice(2);
const config = readConfig(['--no-open', '--no-demo', '--port', '0', '--data', dataDir], env, platform);
await startServer(must(config, 'the settings'), { say: () => undefined });
