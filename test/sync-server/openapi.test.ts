import { expect, test } from 'vitest';

import { pathParameters } from '#shared/api/endpoint.ts';
import { openApiDocument } from '#shared/api/openapi.ts';
import { resources } from '#server/resources/index.ts';
import { startServer } from '#test/support/server.ts';

import { endpoints } from './routes.ts';

type Json = { [key: string]: Json } & { $ref?: string };
interface Operation {
  operationId: string;
  summary: string;
  parameters: { name: string; in: string; required: boolean; schema: Json }[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, { description: string }>;
}
interface OpenApi {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json>; securitySchemes: Record<string, Json> };
  security: Record<string, string[]>[];
}

const document = openApiDocument(resources.map(({ table }) => table)) as unknown as OpenApi;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

test('O1 is served as it is made from the contract', async () => {
  await using server = await startServer();
  const response = await fetch(`${server.url}/api/2.0/openapi.json`);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(document)));
  expect(document.openapi).toMatch(/^3\.1\.\d+$/);
  expect(document.info).toMatchObject({ version: '2.0' });
});

test('O2 holds every mounted route and no other', () => {
  const routes = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
  expect(routes.toSorted()).toEqual(endpoints.map(([route]) => route).toSorted());
});

test('O3 names every operation once', () => {
  const names = operations.map(({ operation }) => operation.operationId);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z]\w*$/.test(name))).toEqual([]);
});

test('O4 declares exactly the parameters of each path, each parameter once', () => {
  for (const { path, operation } of operations) {
    const declared = operation.parameters.filter((one) => one.in === 'path');
    expect(declared.map((one) => one.name)).toEqual(pathParameters(path));
    expect(declared.every((one) => one.required)).toBe(true);
    const all = operation.parameters.map((one) => `${one.in} ${one.name}`);
    expect(new Set(all).size, `${path}: ${all.join(', ')}`).toBe(all.length);
  }
});

test('O5 refers only to what it holds, and to all of it', () => {
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
  const held = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
  expect([...named].toSorted()).toEqual(held.toSorted());
  const schemes = new Set(document.security.flatMap((one) => Object.keys(one)));
  expect([...schemes]).toEqual(Object.keys(document.components.securitySchemes));
});

test('O6 says of every operation how it succeeds and fails', () => {
  for (const { path, method, operation } of operations) {
    const statuses = Object.keys(operation.responses);
    expect(
      statuses.filter((status) => status.startsWith('2')),
      `${method} ${path}`,
    ).toHaveLength(1);
    expect(statuses).toEqual(expect.arrayContaining(['401', '404', '405', '422']));
    expect(operation.summary).toMatch(/^[A-Z]/);
    expect(Object.values(operation.responses).every((one) => one.description.length > 0)).toBe(true);
  }
});

test('O7 changes its routes only on purpose', () => {
  expect(operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`)).toMatchSnapshot();
});
