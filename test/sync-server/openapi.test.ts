import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';
import { z } from 'zod';

import { pathParameters, pathShape, statusesOf, type Endpoint } from '#shared/api/endpoint.ts';
import { openApiDocument, tagsOf } from '#shared/api/openapi/document.ts';
import { nameOf } from '#shared/api/openapi/schemas.ts';
import { sync } from '#shared/api/sync.ts';
import { must } from '#shared/must.ts';
import { resources } from '#server/features/index.ts';
import { startServer } from '#test/support/server.ts';

import { endpoints as mounted, specifiedRoutes } from './routes.ts';

const endpoints = [
  ...mounted,
  ...Object.values(sync).map((one: Endpoint): (typeof mounted)[number] => [`${one.method} ${one.path}`, one]),
];

const { Spectral } = spectralCore;

type Json = { [key: string]: Json } & { $ref?: string };
const json = z.custom<Json>((value) => typeof value === 'object' && value !== null);
const byName = <T extends z.ZodType>(value: T) => z.record(z.string(), value);
const parameter = z.looseObject({
  name: z.string(),
  in: z.string(),
  required: z.boolean(),
  description: z.string(),
  schema: json,
});
const reference = z.strictObject({ $ref: z.string() });
const content = byName(z.looseObject({ schema: json, example: z.unknown().optional() }));
const operationShape = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  tags: z.array(z.string()),
  'x-extension': z.literal(true).optional(),
  parameters: z.array(z.union([reference, parameter])),
  requestBody: z.looseObject({ content }).optional(),
  responses: byName(
    z.looseObject({
      $ref: z.string().optional(),
      description: z.string().optional(),
      content: content.optional(),
    }),
  ),
  security: z.array(byName(z.array(z.string()))).optional(),
});
const documentShape = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  tags: z.array(z.looseObject({ name: z.string(), description: z.string() })),
  paths: byName(byName(operationShape)),
  components: byName(byName(json)),
  security: z.array(byName(z.array(z.string()))),
});

const made = openApiDocument(resources.map(({ table }) => table));
const document = documentShape.parse(made);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const endpointOf = (path: string, method: string) =>
  must(
    endpoints.find(([route]) => pathShape(route) === pathShape(`${method.toUpperCase()} ${path}`)),
    'an endpoint',
  )[1];

test('OPENAPI-1 the document is served as generated from the contract, and not again to a client that has it', async () => {
  await using server = await startServer();
  const response = await fetch(`${server.url}/api/2.0/openapi.json`);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(document)));
  expect(document.openapi).toMatch(/^3\.1\.\d+$/);
  expect(document.info).toMatchObject({ version: '2.0' });
  const again = await fetch(`${server.url}/api/2.0/openapi.json`, {
    headers: { 'If-None-Match': response.headers.get('etag') ?? '' },
  });
  expect(again.status).toBe(304);
});

test('OPENAPI-2 the document has every mounted route, all of the specification, and no other', () => {
  const routes = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
  expect(routes.map(pathShape).toSorted()).toEqual(endpoints.map(([route]) => pathShape(route)).toSorted());
  const held = new Set([...routes, 'GET /wikis/CATEGORY'].map(pathShape));
  expect(specifiedRoutes.filter((route) => !held.has(pathShape(route)))).toEqual([]);
});

test('OPENAPI-3 operation names are unique', () => {
  const names = operations.map(({ operation }) => operation.operationId);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z]\w*$/.test(name))).toEqual([]);
});

test('OPENAPI-4 each path declares exactly its parameters, each once and with a description', () => {
  for (const { path, operation } of operations) {
    const parameters = operation.parameters.map((one) => resolved(one));
    const declared = parameters.filter((one) => one.in === 'path');
    expect(declared.map((one) => one.name)).toEqual(pathParameters(path));
    expect(declared.every((one) => one.required)).toBe(true);
    const all = parameters.map((one) => `${one.in} ${one.name}`);
    expect(new Set(all).size, `${path}: ${all.join(', ')}`).toBe(all.length);
    const silent = parameters.filter((one) => (one.description ?? '').length < 10).map((one) => one.name);
    expect([path, silent]).toEqual([path, []]);
  }
});

test('OPENAPI-5 the document refers only to its components, and to all of them', () => {
  const named = new Set<string>();
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(walk);
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === '$ref' && typeof inner === 'string') named.add(inner);
      else walk(inner);
    }
  };
  walk(document);
  const held = Object.entries(document.components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, parts]) => Object.keys(parts).map((name) => `#/components/${kind}/${name}`));
  expect([...named].toSorted()).toEqual(held.toSorted());
  const schemes = Object.keys(document.components['securitySchemes'] ?? {});
  expect(schemes).toEqual(['token', 'appId']);
  const signIn = document.paths['/user/token']?.['post'];
  expect(signIn?.security).toContainEqual({ appId: [] });
  expect(document.security).toEqual([{ token: [] }]);
});

test('OPENAPI-6 every operation lists how it succeeds and fails', () => {
  for (const { path, method, operation } of operations) {
    const statuses = Object.keys(operation.responses);
    // 405 belongs to the path: the document has no other place for it.
    const expected = [...statusesOf(endpointOf(path, method)), 405].toSorted((a, b) => a - b).map(String);
    expect([path, method, statuses]).toEqual([path, method, expected]);
    expect(statuses.filter((status) => status.startsWith('2') && status !== '206')).toHaveLength(1);
    const isFile = method === 'get' && /\/(?:\{name\}\.omanual|file|\{hash\})$/.test(path);
    expect([path, statuses.includes('206'), statuses.includes('416')]).toEqual([path, isFile, isFile]);
    expect(statuses).toEqual(expect.arrayContaining(['401', '429', '500', '503']));
    expect(operation.summary).toMatch(/^[A-Z]/);
    expect(Object.values(operation.responses).every((one) => '$ref' in one || one.description !== '')).toBe(
      true,
    );
  }
});

test('OPENAPI-8 every body and every response has an example that is valid by its own schema', () => {
  for (const { path, method, operation } of operations) {
    const endpoint = endpointOf(path, method);
    const body = operation.requestBody?.content?.['application/json'];
    if (endpoint.body !== undefined) {
      expect(Object.keys(body?.example ?? {}).length, `body of ${method} ${path}`).toBeGreaterThan(0);
      const parsed = endpoint.body.safeParse(body?.example);
      expect([method, path, parsed.error?.issues]).toEqual([method, path, undefined]);
    }
    if (endpoint.result === undefined) continue;
    const answer = operation.responses[endpoint.status ?? 200]?.content?.['application/json'];
    const parsed = endpoint.result.safeParse(answer?.example);
    expect([method, path, parsed.error?.issues]).toEqual([method, path, undefined]);
  }
});

test('OPENAPI-9 a tag that two endpoints describe differently is an error', () => {
  const endpoint = (description: string): Endpoint => ({
    method: 'GET',
    path: '/notes',
    summary: 'List notes',
    tag: { name: 'Notes', description },
  });
  const table = { list: endpoint('Notes of people.') };
  expect(tagsOf([table, { read: endpoint('Notes of people.') }])).toEqual([
    { name: 'Notes', description: 'Notes of people.' },
  ]);
  expect(() => tagsOf([table, { read: endpoint('What people note.') }])).toThrow(
    'Two descriptions of the tag Notes: Notes of people. What people note.',
  );
});

test('the name of a schema is split at its capital letters', () => {
  const named = (id: string) => nameOf(z.string().meta({ id }));
  expect(named('Guide')).toBe('guide');
  expect(named('StepFormField')).toBe('step form field');
  expect(nameOf(z.string())).toBe('record');
});

test('OPENAPI-9 every operation has a described tag, and extensions are marked', () => {
  const tags = new Set(document.tags.map((tag) => tag.name));
  for (const { path, method, operation } of operations) {
    expect(operation.tags.filter((tag) => !tags.has(tag))).toEqual([]);
    expect(operation.tags).toHaveLength(1);
    expect([path, operation['x-extension']]).toEqual([path, endpointOf(path, method).extension]);
  }
  expect(document.tags.every((tag) => tag.description.length > 10)).toBe(true);
  expect(document.paths['/comments/{context}/{contextid}']?.['get']).toMatchObject({ 'x-extension': true });
});

test('OPENAPI-10 a 409 shows the record whose revision the call names', () => {
  const conflictOf = (path: string, method: string): Json | undefined =>
    document.paths[path]?.[method]?.responses['409']?.content?.['application/json']?.schema;
  const record = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  expect(conflictOf('/guides/{guideid}', 'patch')).toEqual(record('Guide'));
  expect(conflictOf('/guides/{guideid}/steps/{stepid}', 'patch')).toEqual(record('Step'));
  expect(conflictOf('/step_forms/{stepid}', 'post')).toEqual(record('StepForm'));
  expect(conflictOf('/work_log/{entryid}/finish', 'post')).toEqual(record('WorkLogEntry'));
  expect(conflictOf('/guides/{guideid}', 'get')).toBeUndefined();
});

// Spectral validates every example, which takes long on a busy machine.
test('OPENAPI-11 the document has no error by the rules of Spectral', async () => {
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [[oas as RulesetDefinition, 'recommended']] });
  const results = await spectral.run(JSON.parse(JSON.stringify(document)) as Record<string, unknown>);
  expect(results.map((one) => `${one.severity} ${one.code} ${one.path.join('.')}: ${one.message}`)).toEqual(
    [],
  );
});

const described = z.looseObject({ description: z.string().min(4) });

test('OPENAPI-12 every field of every body has a description', () => {
  const silent = new Set<string>();
  const walk = (schema: unknown, place: string, seen: readonly string[]): void => {
    const { data: node } = json.safeParse(schema);
    if (node === undefined) return;
    const component = node.$ref?.split('/').at(-1);
    if (component !== undefined && !seen.includes(component))
      walk(document.components['schemas']?.[component], place, [...seen, component]);
    for (const [name, field] of Object.entries(node['properties'] ?? {})) {
      if (!described.safeParse(field).success) silent.add(`${place} ${name}`);
      walk(field, `${place} ${name}`, seen);
    }
    for (const key of ['items', 'additionalProperties']) walk(node[key], place, seen);
    for (const key of ['anyOf', 'oneOf', 'allOf'])
      for (const one of Object.values(node[key] ?? {})) walk(one, place, seen);
  };
  for (const { path, method, operation } of operations)
    walk(operation.requestBody?.content?.['application/json']?.schema, `${method} ${path}`, []);
  expect([...silent]).toEqual([]);
});

/** A parameter, inline or by reference. */
function resolved(one: z.output<typeof reference> | z.output<typeof parameter>): z.output<typeof parameter> {
  const held = reference.safeParse(one);
  const name = held.data?.$ref.split('/').at(-1);
  return parameter.parse(name === undefined ? one : document.components['parameters']?.[name]);
}

test('OPENAPI-7 routes change only on purpose', () => {
  expect(
    endpoints.map(([route]) => route).toSorted(),
    'If you meant to change the routes, run this file with `-t OPENAPI-7 -u`',
  ).toMatchSnapshot();
});
