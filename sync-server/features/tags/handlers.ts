import { tags } from '#shared/api/tags.ts';
import { handle } from '#server/http/handle.ts';

import { listTags } from './store.ts';

export const tagHandlers = handle(tags, { list: ({ query }, ctx) => listTags(ctx, query) });
