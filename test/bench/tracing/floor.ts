/**
 * The floor of tracing: an HTTP server that reads the documents of a page of entries by their ids and sends them as they are
 * stored, without permissions, numbers, records or deviations.
 */
import BetterSqlite3 from 'better-sqlite3';
import fastify from 'fastify';

const database = new BetterSqlite3(process.argv[2] ?? '', { readonly: true });
const read = database
  .prepare(
    "SELECT body FROM documents WHERE collection = 'workLog' AND id IN (SELECT value FROM json_each(?))",
  )
  .pluck();
const app = fastify();
app.get<{ Querystring: { ids: string } }>('/', (request, reply) =>
  reply.type('application/json').send(`[${read.all(request.query.ids).join(',')}]`),
);
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
