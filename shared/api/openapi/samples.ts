import { must } from '#shared/must.ts';

import { isStream, pathParameters, rootedPath, type Endpoint } from '../endpoint.ts';
import { exampleOf, type Json } from './examples.ts';
import { schemaOf } from './schemas.ts';

/**
 * The `x-codeSamples` of an operation: how curl performs it. `spelled`: its path as the document spells it. `body`: its
 * `requestBody`.
 *
 * - OPENAPI-13 Each operation has a sample for a shell, with `api` before the token, which runs as it stands where
 *   `BENCHBOOK_URL` and `BENCHBOOK_TOKEN` are set. Uploads send a file of the present folder.
 */
export function samplesOf(endpoint: Endpoint, spelled: string, body: Json, schemas: Json): Json {
  const { method } = endpoint;
  const isSignIn = endpoint.method === 'POST' && endpoint.access === 'public';
  const options = [
    `"$BENCHBOOK_URL${addressOf(endpoint, spelled, schemas)}"`,
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(isStream(endpoint) ? ['--no-buffer'] : []),
    ...(isSignIn ? [] : ['-H "Authorization: api $BENCHBOOK_TOKEN"']),
    ...(endpoint.path === '/1/uploads' ? ["-H 'Tus-Resumable: 1.0.0'", "-H 'Upload-Length: 1000'"] : []),
    ...dataOf(endpoint, body),
  ];
  return { 'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: `curl ${options.join(' \\\n  ')}` }] };
}

function addressOf(endpoint: Endpoint, spelled: string, schemas: Json): string {
  const values = propertiesOf(endpoint.params, 'output', schemas);
  const names = pathParameters(endpoint.path);
  const shown = pathParameters(spelled);
  const path = rootedPath(endpoint).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const schema = values[name] ?? {};
    const value = exampleOf(Object.keys(schema).length === 0 ? { type: 'string' } : schema, schemas, name);
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
    return encodeURIComponent(text ?? must(shown[names.indexOf(name)], 'the name of a parameter'));
  });
  const query = new URLSearchParams();
  for (const [name, value] of queryOf(endpoint, schemas)) query.set(name, value);
  if (endpoint.revisioned !== undefined)
    query.set('revisionid', String(exampleOf({ type: 'integer' }, schemas, 'revisionid')));
  return path + (query.size === 0 ? '' : `?${query.toString()}`);
}

function dataOf({ consumes, files, path }: Endpoint, { requestBody }: Json): string[] {
  if (consumes === 'bytes') return [...tusHeaders(path), `--data-binary @${fileFor(files)}`];
  const { content } = (requestBody ?? {}) as { content?: Record<string, { example?: unknown }> };
  const example = content?.['application/json']?.example;
  if (example === undefined) return [];
  const json = JSON.stringify(example, null, 2).replaceAll("'", String.raw`'\''`);
  return ["-H 'Content-Type: application/json'", `-d '${json}'`];
}

/** The name of a file that the call takes. */
function fileFor(files: readonly string[] = []): string {
  const [type = ''] = files;
  if (type.startsWith('image/')) return 'photo.jpg';
  if (type.startsWith('video/')) return 'video.mp4';
  return type === 'application/pdf' ? 'document.pdf' : 'file.bin';
}

/** The headers of a resumable upload (tus 1.0.0). */
function tusHeaders(path: string): string[] {
  if (!path.startsWith('/1/uploads')) return ["-H 'Content-Type: application/octet-stream'"];
  return [
    "-H 'Tus-Resumable: 1.0.0'",
    "-H 'Upload-Offset: 0'",
    "-H 'Content-Type: application/offset+octet-stream'",
  ];
}

function propertiesOf(
  schema: Endpoint['query'],
  io: 'input' | 'output',
  schemas: Json,
): Record<string, Json> {
  if (schema === undefined) return {};
  return (schemaOf(schema, io, schemas)['properties'] ?? {}) as Record<string, Json>;
}

/** The parameters without which the query is refused, with example values. */
function queryOf({ query }: Endpoint, schemas: Json): [string, string][] {
  if (query === undefined) return [];
  const json = schemaOf(query, 'input', schemas);
  const required = new Set((json['required'] ?? []) as string[]);
  const all = Object.entries((json['properties'] ?? {}) as Record<string, Json>)
    .filter(([, schema]) => schema['default'] === undefined)
    .map(([name, schema]): [string, string] => [name, String(exampleOf(schema, schemas, name))]);
  const needed = all.filter(([name]) => required.has(name));
  const isEnough = (parts: [string, string][]): boolean => query.safeParse(Object.fromEntries(parts)).success;
  if (isEnough(needed)) return needed;
  const more = all.find((one) => isEnough([...needed, one]));
  return more === undefined ? needed : [...needed, more];
}
