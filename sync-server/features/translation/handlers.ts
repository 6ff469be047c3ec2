import { translationGlossary } from '#shared/api/translation-glossary.ts';
import { handle } from '#server/http/handle.ts';

import {
  changeEntries,
  listEntries,
  mustEditGlossary,
  mustFindEntry,
  mustHaveGlossary,
  removeEntry,
} from './glossary.ts';

export const glossaryHandlers = handle(
  translationGlossary,
  {
    list: {
      allow: (_, ctx) => mustHaveGlossary(ctx),
      run: (_, ctx) => listEntries(ctx.db),
    },
    put: {
      allow: (_, ctx) => mustEditGlossary(ctx),
      run: async ({ body }, ctx) => {
        await changeEntries(ctx, body.entries);
        return ctx.respondWithRecord('glossary', 'entries', listEntries(ctx.db));
      },
    },
    remove: {
      allow: async ({ params }, ctx) => {
        mustHaveGlossary(ctx);
        await mustFindEntry(ctx, params.entryid);
        mustEditGlossary(ctx);
      },
      run: ({ params }, ctx) => removeEntry(ctx, params.entryid),
    },
  },
  {
    glossary: (ctx) => listEntries(ctx.db),
  },
);
