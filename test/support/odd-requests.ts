import { must } from '#shared/must.ts';
import { pathParameters, rootedPath, type Endpoint, type Method } from '#shared/api/endpoint.ts';

import {
  Dice,
  type Schema,
  type Stock,
  fitting,
  hugeText,
  jsonSchema,
  oddValues,
  propertiesOf,
} from './odd-values.ts';

/** A request to be sent. */
export interface OddRequest {
  method: Method;
  url: string;
  headers: Record<string, string>;
  payload?: string;
  /** Whether the body contains a field that the contract does not have. */
  injected: boolean;
}

/** Valid requests, each with one field that the contract does not have. */
export function injectionsFor(endpoint: Endpoint, stock: Stock, dice: Dice): OddRequest[] {
  const schema = jsonSchema(must(endpoint.body, 'the body'));
  const declared = propertiesOf(schema);
  const defs = (schema['$defs'] ?? {}) as Record<string, Schema>;
  const names = injectedFields.filter(
    (name) =>
      !name.startsWith('_') &&
      !Object.hasOwn(declared, name) &&
      !(name === 'revisionid' && (endpoint.revisioned ?? endpoint.checks) !== undefined),
  );
  return names.map((name) => {
    const fitted = fitting(schema, defs, stock, dice, '');
    const body = { ...(fitted as object), [name]: dice.pick<unknown>([1, ['Admin'], true]) };
    return {
      method: endpoint.method,
      url: `${rootedPath({ ...endpoint, path: pathOf(endpoint, stock, dice) })}?revisionid=${dice.pick(stock.revisionids)}`,
      headers: {},
      payload: JSON.stringify(body),
      injected: true,
    };
  });
}

/** The path of an existing record. */
function pathOf(endpoint: Endpoint, stock: Stock, dice: Dice): string {
  return endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(dice.pick(stock.ids[name] ?? [1]))),
  );
}

const injectedFields = [
  'userid',
  'privileges',
  'revisionid',
  'reputation',
  'role',
  'enabled',
  '__proto__',
  'constructor',
];

/** Makes one odd request for an endpoint: correct shape with odd content, or any shape. */
export function oddRequest(endpoint: Endpoint, stock: Stock, dice: Dice): OddRequest {
  const { payload, injected } = oddBody(endpoint, stock, dice);
  return {
    method: endpoint.method,
    url: rootedPath({ ...endpoint, path: oddPath(endpoint, stock, dice) }) + oddQuery(endpoint, stock, dice),
    headers: oddHeaders(stock, dice),
    ...(payload === undefined ? {} : { payload }),
    injected,
  };
}

function oddPath(endpoint: Endpoint, stock: Stock, dice: Dice): string {
  const parts = [
    '%zz',
    '%',
    '%00',
    '%ff',
    '%2e%2e',
    '..%2f..',
    '0',
    '-1',
    '1.0',
    '0x1',
    '1e3',
    ' 1',
    '9'.repeat(400),
    'x'.repeat(1200),
    '9007199254740993',
    encodeURIComponent('🔧'),
    'null',
    '%ED%A0%80',
  ];
  let path = endpoint.path;
  for (const name of pathParameters(path)) {
    const known = stock.ids[name] ?? [1];
    const value = dice.happens(0.8) ? encodeURIComponent(String(dice.pick(known))) : dice.pick(parts);
    path = path.replace(`{${name}}`, () => value);
  }
  return dice.happens(0.05) ? `${path}/` : path;
}

function oddQuery(endpoint: Endpoint, stock: Stock, dice: Dice): string {
  const pairs: string[] = [];
  const properties = endpoint.query === undefined ? {} : propertiesOf(jsonSchema(endpoint.query));
  for (const [name, schema] of Object.entries(properties)) {
    if (dice.happens(0.5)) continue;
    const value = dice.happens(0.6) ? fitting(schema as Schema, {}, stock, dice, name) : dice.pick(oddValues);
    pairs.push(`${name}=${encode(String(value), dice)}`);
  }
  if ((endpoint.revisioned ?? endpoint.checks) !== undefined && dice.happens(0.9))
    pairs.push(
      `revisionid=${dice.happens(0.8) ? dice.pick(stock.revisionids) : encode(String(dice.pick(oddValues)), dice)}`,
    );
  if (dice.happens(0.1)) pairs.push(...pairs, 'a[b]=1&a=2', '&&==', '%zz=%zz', '__proto__[x]=1');
  if (dice.happens(0.1)) pairs.push('pretty');
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function encode(text: string, dice: Dice): string {
  if (dice.happens(0.05)) return '%E0%A4%A';
  return encodeURIComponent(text.toWellFormed());
}

function oddHeaders(stock: Stock, dice: Dice): Record<string, string> {
  const headers: Record<string, string> = {};
  if (dice.happens(0.9)) headers['authorization'] = `api ${dice.pick(stock.tokens)}`;
  else
    headers['authorization'] = dice.pick([
      '',
      'api',
      'api  ',
      'Basic YTpi',
      'bearer bb_x',
      `api ${'x'.repeat(5000)}`,
    ]);
  if (dice.happens(0.3))
    headers['content-type'] = dice.pick([
      'application/json',
      'application/x-www-form-urlencoded',
      'text/plain; charset=utf-16',
      'multipart/form-data',
      'a/b/c',
      ';',
    ]);
  if (dice.happens(0.2))
    headers['idempotency-key'] = dice.pick([
      'same-key-1',
      'same-key-2',
      'short',
      'ü',
      'x'.repeat(100),
      'a b c d e f g',
    ]);
  if (dice.happens(0.1)) headers['if-match'] = dice.pick(['*', '"1"', 'W/"1-x"', '""', 'a, b']);
  if (dice.happens(0.1)) headers['if-none-match'] = dice.pick(['*', '"', ',', 'W/"x"']);
  if (dice.happens(0.05)) headers['host'] = dice.pick(['evil.example', 'a:b:c', '[::1', '']);
  if (dice.happens(0.05)) headers['accept-encoding'] = 'gzip, br;q=9, *';
  if (dice.happens(0.05)) headers['x-forwarded-for'] = '::1, <script>';
  return headers;
}

function oddBody(endpoint: Endpoint, stock: Stock, dice: Dice): { payload?: string; injected: boolean } {
  if (endpoint.consumes === 'bytes')
    return {
      payload: dice.pick(['', 'GIF89a', '\xff\xd8\xff', 'BM', '%PDF-1.4', hugeText, '{}']),
      injected: false,
    };
  if (endpoint.body === undefined && dice.happens(0.7)) return { injected: false };
  if (dice.happens(0.08)) {
    const broken = [
      '{',
      '[',
      'nul',
      '"',
      '{"a":}',
      '\0',
      '[1,]',
      '{"a":1}}',
      `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
      `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
      'a=1&b=2',
      'title=%zz',
      '﻿{}',
    ];
    return { payload: dice.pick(broken), injected: false };
  }
  if (endpoint.body === undefined || dice.happens(0.05))
    return { payload: JSON.stringify(dice.pick(oddValues)), injected: false };
  const schema = jsonSchema(endpoint.body);
  const body = fitting(schema, (schema['$defs'] ?? {}) as Record<string, Schema>, stock, dice, '');
  const spoilt = spoil(body, dice, endpoint);
  return { payload: spoilt.text, injected: spoilt.injected };
}

/** Puts odd values and undeclared fields into a valid body. */
function spoil(body: unknown, dice: Dice, endpoint: Endpoint): { text: string; injected: boolean } {
  if (typeof body !== 'object' || body === null) return { text: JSON.stringify(body), injected: false };
  const fields = Object.entries(body);
  const declared = propertiesOf(jsonSchema(must(endpoint.body, 'the body')));
  let injected = false;
  if (dice.happens(0.2)) {
    const name = dice.pick(injectedFields);
    injected =
      !Object.hasOwn(declared, name) &&
      !(name === 'revisionid' && (endpoint.revisioned ?? endpoint.checks) !== undefined);
    fields.push([name, dice.pick([1, ['Admin'], 'Admin', { admin: true }])]);
  }
  if (fields.length > 0 && dice.happens(0.35)) dice.pick(fields)[1] = dice.pick(oddValues);
  if (fields.length > 0 && dice.happens(0.02)) dice.pick(fields)[1] = hugeText;
  if (fields.length > 0 && dice.happens(0.01))
    dice.pick(fields)[1] = Array.from({ length: 40_000 }, (_, index) => index + 1);
  // Written by hand, because JSON.stringify ignores `__proto__` of a literal.
  return {
    text: `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`).join(',')}}`,
    injected,
  };
}
