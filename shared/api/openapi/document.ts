import { pathShape, type Endpoint, type EndpointTable, type Method, type Tag } from '../endpoint.ts';
import { sync } from '../sync.ts';
import { fixedComponents, problemSchemas } from './components.ts';
import type { Json } from './examples.ts';
import { bodyOf, parametersOf } from './requests.ts';
import { responsesOf } from './responses.ts';
import { samplesOf } from './samples.ts';
import { nameOf } from './schemas.ts';
import { resourceTags, siteTag } from './words.ts';

/** Calls that require an app id if the site demands one (spec, "Authentication" 2). */
const withAppId = new Set([
  'POST /user/token',
  'POST /user/token/sign_on',
  'POST /user/token/sign_on/redeem',
  'POST /users',
]);

const description = `Guides, step forms, work log, comments, media and people.

A body is read as JSON, regardless of its content type, or else as form fields, with lists and records as
\`flags[]=…\` and \`parts[0][name]=…\`. Every refusal has a body with \`message\`.
A method that a path does not have answers 405 with \`Allow\`; an unknown path answers 404. A client that
cannot send PATCH sends a POST with \`X-HTTP-Method-Override: PATCH\` (or PUT, DELETE). Numbers and switches may be texts. \`?pretty\` indents
the JSON of an answer. A trailing slash does not matter, and \`/guide/…\` is \`/guides/…\`.

Calls that need a token send \`Authorization: api <token>\`, with the token from \`POST /user/token\`. The samples take
the address of the server from \`BENCHBOOK_URL\`, and the token from \`BENCHBOOK_TOKEN\`.

**\`X-App-Id\`.** On a site where anybody may register (\`public_registration\`), registering and signing in need the app
id of the calling program in \`X-App-Id\`; a missing or unknown one answers 400. An administrator issues app ids
(\`POST /site/app_ids\`). Other calls, and other sites, need none.

**\`compatibility\`.** Where live servers contradict the specification, this server does what the specification says.
The setting \`compatibility\` (\`PATCH /site\`) makes it do what live servers do, for apps that were written for them:
\`flags\` of a full guide are objects and not ids, and a step form may be saved without \`form_revisionid\`. \`GET /site\`
says whether it is on. Where the specification says nothing, answers always have the form of live servers.

Operations beyond the specification carry \`x-extension\`.`;

/**
 * The OpenAPI 3.1 document of the tables.
 * - OPENAPI-1 The server serves the document as it was made from the tables, and answers 304 to a client that already
 *   has it.
 * - OPENAPI-2 It contains every mounted route, including all routes of the specification, and no other.
 * - OPENAPI-3 Every operation has a unique name.
 * - OPENAPI-4 It declares exactly the parameters of each path, each once and with a description.
 * - OPENAPI-5 Every reference leads to a component of the document, and every component is referenced.
 * - OPENAPI-6 It lists how each operation succeeds and fails, including 206 and 416 of operations that answer parts of
 *   a file.
 * - OPENAPI-7 Its routes change only on purpose: a snapshot lists them.
 * - OPENAPI-8 Every body and every answer has an example that its own schema accepts.
 * - OPENAPI-9 Every operation has a tag with a description; an operation that is not in the specification is marked as
 *   an extension.
 * - OPENAPI-10 The schema of a 409 is the record whose revision the call names.
 * - OPENAPI-11 Spectral reports no error.
 * - OPENAPI-12 Every field of every body has a description.
 */
export function openApiDocument(tables: EndpointTable[]): Json {
  const schemas: Json = { ...problemSchemas };
  const paths = new Paths();
  for (const table of [...tables, sync])
    for (const [name, endpoint] of Object.entries(table)) {
      const path = paths.spelled(endpoint.path);
      paths.add(endpoint.method, path, operationOf(name, endpoint, path, schemas));
    }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Repair-Guide Documentation Service API',
      version: '2.0',
      description,
      contact: { name: 'The administrator of this site' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/2.0' }],
    tags: tagsOf([...tables, sync]),
    security: [{ token: [] }],
    paths: paths.all,
    components: { ...fixedComponents, schemas },
  };
}

/** The paths of the document by their shape: `/a/{x}` and `/a/{y}` are one path, spelled as the first of them. */
class Paths {
  readonly all: Record<string, Json> = {};
  readonly #spellings = new Map<string, string>();

  spelled(path: string): string {
    const shape = pathShape(path);
    const known = this.#spellings.get(shape) ?? path;
    this.#spellings.set(shape, known);
    return known;
  }

  add(method: Method, path: string, operation: Json): void {
    (this.all[path] ??= {})[method.toLowerCase()] = operation;
  }
}

function tagOf({ tag, path }: Pick<Endpoint, 'tag' | 'path'>): Tag {
  return tag ?? resourceTags.find(({ paths }) => paths.test(path)) ?? siteTag;
}

/**
 * The tags of all endpoints: those of `resourceTags` in their order, then the others. Throws if two endpoints describe
 * the same tag differently.
 */
export function tagsOf(tables: EndpointTable[]): Tag[] {
  const all = new Map<string, Tag>();
  for (const tag of tables.flatMap((table) => Object.values(table)).map(tagOf)) {
    const known = all.get(tag.name);
    if (known !== undefined && known.description !== tag.description)
      throw new Error(`Two descriptions of the tag ${tag.name}: ${known.description} ${tag.description}`);
    all.set(tag.name, tag);
  }
  const names = [...resourceTags.map(({ name }) => name), ...all.keys()];
  const ordered = [...new Set(names)].flatMap((name) => all.get(name) ?? []);
  return ordered.map(({ name, description: meaning }) => ({ name, description: meaning }));
}

function operationId(method: Method, path: string): string {
  return `${method.toLowerCase()}_${path.replaceAll(/[^\w]+/g, '_').replaceAll(/^_|_$/g, '')}`;
}

function operationOf(name: string, endpoint: Endpoint, spelled: string, schemas: Json): Json {
  const { method, path } = endpoint;
  const body = bodyOf(endpoint, schemas);
  return {
    operationId: operationId(method, path),
    summary: endpoint.summary,
    description: describe(endpoint),
    tags: [tagOf(endpoint).name],
    'x-name': name,
    ...(endpoint.extension === true ? { 'x-extension': true } : {}),
    ...(endpoint.deprecated === true ? { deprecated: true } : {}),
    ...(endpoint.root === undefined ? {} : { servers: [{ url: endpoint.root }] }),
    ...securityOf(endpoint),
    parameters: parametersOf(endpoint, spelled, schemas),
    ...body,
    ...samplesOf(endpoint, spelled, body, schemas),
    responses: responsesOf(endpoint, schemas),
  };
}

function describe(endpoint: Endpoint): string {
  const who = {
    public: 'Anybody may call it, on a private site anybody signed in.',
    user: 'Needs a token.',
    admin: 'For administrators.',
  }[endpoint.access ?? 'user'];
  const { revisioned, checks, tagged, taggedAt } = endpoint;
  const appId = withAppId.has(`${endpoint.method} ${endpoint.path}`)
    ? ' On a site where anybody may register it needs `X-App-Id`.'
    : '';
  const details = endpoint.details === undefined ? '' : ` ${endpoint.details}`;
  const tag =
    tagged === undefined
      ? ''
      : ` If-Match may carry the ETag of ${taggedAt === undefined ? 'a GET here' : `GET ${taggedAt}`}; another than the current is 409.`;
  const revision =
    revisioned !== undefined
      ? ` Names the revision of the ${nameOf(revisioned)} that it changes; another one than the current is 409.`
      : checks !== undefined
        ? ` May name the revision of the ${nameOf(checks)}; another one than the current is 409.`
        : '';
  return `${endpoint.summary}. ${who}${revision}${tag}${appId}${details}${endpoint.extension === true ? ' Beyond the specification.' : ''}`;
}

function securityOf(endpoint: Endpoint): Json {
  if (endpoint.access !== 'public') return {};
  if (withAppId.has(`${endpoint.method} ${endpoint.path}`))
    return { security: [{}, { appId: [] }, { token: [] }, { token: [], appId: [] }] };
  return { security: [{}, { token: [] }] };
}
