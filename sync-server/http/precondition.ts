import { conflict } from '#shared/api/problem.ts';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { must } from '#shared/must.ts';

import { admit, parseParams } from './admit.ts';
import { prettyJson } from './body.ts';
import type { Incoming } from './call.ts';
import type { Context } from '../core/context.ts';
import { etagOf, namesTag, revisionOf } from './etag.ts';
import type { AnyGated } from './handle.ts';
import { serializerOf } from './serialize.ts';

/** Throws 409 with the record where `If-Match` names another state of it than the present one. */
export type Precondition = (incoming: Incoming, ctx: Context) => Promise<void>;

/**
 * What `If-Match` asks of a write to a record without revisions: that a GET at the same address still answers what the
 * tag was given for (RFC 9110 13.1.1; the tags are weak, and compared as such). `read`: that GET.
 */
export function preconditionOf(read: { endpoint: Endpoint; handler: AnyGated }): Precondition {
  const { endpoint, handler } = read;
  const serialize = serializerOf(must(endpoint.result, 'the record'));
  return async (incoming, ctx) => {
    const header = incoming.headers['if-match'];
    if (header === undefined) return;
    const asked = { ...incoming, method: 'GET', body: undefined };
    const params = parseParams(endpoint, incoming.params);
    const body = await handler.run(await admit(endpoint, handler, params, asked, ctx), ctx);
    const text = serialize(body);
    const tags = [text, prettyJson(text)].map((payload) => etagOf(payload, revisionOf(body)));
    if (!tags.some((etag) => namesTag(header, etag))) throw conflict(JSON.parse(text));
  };
}
