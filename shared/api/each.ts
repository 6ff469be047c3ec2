interface Paged {
  offset?: unknown;
  limit?: unknown;
}

type ItemOf<R> = R extends (infer T)[] ? T : R extends { results: (infer T)[] } ? T : never;

/**
 * Every record of a list, page after page: `for await (const guide of each(api.guides.list, { query }))`. Only an empty
 * page ends a list, because servers filter a page after cutting it.
 */
export async function* each<A extends { query?: Paged }, R>(
  list: (args: A) => Promise<R>,
  args: A = {} as A,
): AsyncGenerator<ItemOf<R>, void, undefined> {
  const limit = Number(args.query?.limit ?? 200);
  for (let offset = Number(args.query?.offset ?? 0); ; offset += limit) {
    const page: unknown = await list({ ...args, query: { ...args.query, limit, offset } });
    const { results, moreResults } = wrapped(page);
    yield* results as ItemOf<R>[];
    if (results.length === 0 || !moreResults) return;
  }
}

/** A plain list, or one in an object that says whether there is more. */
function wrapped(page: unknown): { results: unknown[]; moreResults: boolean } {
  if (Array.isArray(page)) return { results: page, moreResults: true };
  const { results, moreResults } = page as { results?: unknown[]; moreResults?: boolean };
  if (results === undefined) throw new TypeError('This call does not answer with a list');
  return { results, moreResults: moreResults === true };
}
