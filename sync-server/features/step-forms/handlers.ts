import { stepForms } from '#shared/api/step-forms.ts';
import { handle } from '#server/http/handle.ts';

import { mustSeeGuide } from '../guides/policy.ts';
import { mustEditStep, mustSeeStep } from './policy.ts';
import { saveForm } from './save.ts';
import { findForm, formsOfGuide, readFormOfField, readFormRevision, representForm } from './store.ts';

export const stepFormHandlers = handle(
  stepForms,
  {
    ofStep: {
      allow: async ({ params }, ctx) => void (await mustSeeStep(ctx, params.stepid)),
      run: async ({ params }, ctx) => (await findForm(ctx.db, params.stepid)) ?? null,
    },
    ofFormRevision: ({ params }, ctx) => readFormRevision(ctx, params.form_revisionid),
    ofFieldRevision: ({ params }, ctx) => readFormOfField(ctx, params.field_revisionid),
    ofGuide: async ({ params }, ctx) => formsOfGuide(ctx, await mustSeeGuide(ctx, params.guideid)),
    save: {
      allow: async ({ params }, ctx) => void (await mustEditStep(ctx, params.stepid)),
      run: async ({ params, query, body }, ctx) => {
        const guide = await mustEditStep(ctx, params.stepid);
        const form_revisionid = body.form_revisionid ?? query.form_revisionid;
        const form = await saveForm(ctx, guide, params.stepid, { ...body, form_revisionid });
        return ctx.respondWithRecord('form', params.stepid, form);
      },
    },
  },
  {
    form: (ctx, id) => representForm(ctx, Number(id)),
  },
);
