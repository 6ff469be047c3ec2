/** A Fastify without plugins that sends files unchanged: the limit for the routes of the API. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import fastify from 'fastify';

import { tellProcessor } from './tell-processor.ts';

tellProcessor();
const folder = process.argv[2] ?? '.';
const app = fastify();
for (const name of readdirSync(folder)) {
  const bytes = readFileSync(join(folder, name));
  const isPicture = name.endsWith('.jpg');
  const body = isPicture ? bytes : bytes.toString('utf8');
  const type = isPicture ? 'image/jpeg' : 'application/json; charset=utf-8';
  app.get(`/${name}`, (_request, reply) => reply.type(type).send(body));
}
process.stdout.write(`${JSON.stringify({ url: await app.listen({ host: '127.0.0.1', port: 0 }) })}\n`);
