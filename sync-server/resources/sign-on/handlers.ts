import { signOn } from '#shared/api/sign-on.ts';
import { TextAnswer } from '#server/http/answers.ts';
import { handle } from '#server/http/handle.ts';
import { resultPage } from '#server/signon/page.ts';
import {
  beginSignOn,
  consumeAssertion,
  mustBeKnownThere,
  mustHaveProvider,
  representSignOn,
  takeToken,
} from '#server/signon/requests.ts';
import { metadataOf } from '#server/signon/saml.ts';

export const signOnHandlers = handle(signOn, {
  metadata: (_, ctx) =>
    new TextAnswer('application/xml', metadataOf(ctx.services.site, mustHaveProvider(ctx))),
  begin: { allow: (_, ctx) => mustBeKnownThere(ctx), run: (_, ctx) => beginSignOn(ctx) },
  read: {
    allow: async ({ params }, ctx) => void (await representSignOn(ctx, params.sign_onid)),
    run: ({ params }, ctx) => representSignOn(ctx, params.sign_onid),
  },
  token: {
    allow: async ({ params }, ctx) => void (await representSignOn(ctx, params.sign_onid)),
    run: ({ params }, ctx) => takeToken(ctx, params.sign_onid),
  },
  assertions: async ({ body }, ctx) => {
    const consumed = await consumeAssertion(ctx, body.RelayState, body.SAMLResponse);
    return resultPage(ctx.services.site.name, consumed);
  },
});
