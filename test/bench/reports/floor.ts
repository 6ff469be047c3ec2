/**
 * The floor of reports: an HTTP server that reads the rows that a report counts, once each, by the best index, and sends one
 * sum. It has no permissions, no percentiles, and no groups.
 */
import BetterSqlite3 from 'better-sqlite3';
import fastify from 'fastify';

const database = new BetterSqlite3(process.argv[2] ?? '', { readonly: true });
const app = fastify();
app.get<{ Querystring: { sql: string } }>('/', (request) => database.prepare(request.query.sql).all());
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
