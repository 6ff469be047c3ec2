import { z } from 'zod';

import { get, limit, offset, order } from './endpoint.ts';

export const tags = {
  list: get('/tags', {
    summary: 'List tags of what the caller may see, by tagid',
    access: 'public',
    query: z.object({ offset, limit, order }),
    result: z.array(z.string()),
  }),
};
