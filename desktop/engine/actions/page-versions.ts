import { z } from 'zod';

import { Problem } from '#shared/api/problem.ts';

import type { PageVersion } from '../api/page-records.ts';
import { pagePath } from '../outbox/kinds/pages.ts';
import type { NewCall } from '../platform/ports.ts';
import { ForeignAnswer } from '../sync/connection-errors.ts';
import { recordIn } from '../sync/own-answer.ts';
import type { ActionContext } from '../features/action-context.ts';
import { callOf, mustBeDecided, pageOf, queryOf, type OpenPage } from './open-page.ts';

/** Marks the newest version of a page as patrolled. */
export async function patrolPage(context: ActionContext, wikiid: string): Promise<void> {
  const page = await pageOf(context, wikiid);
  mustBeDecided(page);
  await context.sources.core.outbox.add([versionCall(context, page, 'patrol', {})]);
}

/** Makes an earlier version of a page the newest one again. */
export async function revertPage(context: ActionContext, wikiid: string, revisionid: number): Promise<void> {
  const page = await pageOf(context, wikiid);
  mustBeDecided(page);
  const query = { to_revisionid: String(revisionid) };
  await context.sources.core.outbox.add([versionCall(context, page, 'revert', query)]);
}

/** A call about versions of a page. It names the version that the person saw last. */
function versionCall(
  context: ActionContext,
  page: OpenPage,
  what: 'patrol' | 'revert',
  query: Record<string, string>,
): NewCall {
  const call = callOf(context, page);
  return {
    ...call,
    kind: `wiki-${what}`,
    method: 'POST',
    path: `${call.path}/${what}`,
    query: { ...queryOf(page), ...query },
  };
}

/** The part of the server's answer that is used. */
const versions = z.array(
  z.object({
    revisionid: z.number(),
    date: z.number(),
    author: z.object({ username: z.string() }).nullable(),
  }),
);

/** The versions of a page, from the server. Throws `Problem` unavailable when it cannot be reached. */
export async function pageVersions(context: ActionContext, wikiid: string): Promise<PageVersion[]> {
  const page = await pageOf(context, wikiid);
  const query = page.langid === '' ? '' : `?langid=${encodeURIComponent(page.langid)}`;
  const path = `/api/2.0${pagePath(page.namespace, page.base.content.title)}/revisions${query}`;
  const found = await context.sources.core
    .request(path)
    .then((answer) => (answer.ok ? recordIn(answer, versions, path) : null))
    .catch((error: unknown) => {
      const words =
        error instanceof ForeignAnswer
          ? error.message
          : 'Earlier versions are on the server, which cannot be reached now';
      throw new Problem('unavailable', words, { cause: error });
    });
  if (found === null) throw new Problem('unavailable', 'The server does not tell its versions');
  return found.map(({ revisionid, date, author }) => ({
    revisionid,
    author: author?.username ?? '',
    at: date * 1000,
  }));
}
