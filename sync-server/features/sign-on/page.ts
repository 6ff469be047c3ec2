import { nothing, safe } from '#shared/html.ts';
import type { Context } from '#server/core/context.ts';
import { TextAnswer } from '#server/http/answers.ts';
import { textsFor, type Texts } from '#server/text/texts.ts';

import type { Consumed } from './requests.ts';
import type { Answered } from './sign-ins.ts';

/** The request for the page. */
type Reader = Pick<Context, 'headers' | 'services'>;

/** The page loads nothing and runs no scripts. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** The page after a sign-on for a signature. The app that started it polls for the result. */
export function resultPage(reader: Reader, consumed: Consumed): TextAnswer {
  const texts = textsOf(reader);
  const { signOn, signOnFlaws } = texts.pages;
  return consumed.ok
    ? page(reader, texts, signOn.confirmed, signOn.goBack)
    : page(reader, texts, signOn.notConfirmed, signOn.beginAgain(consumed.flaw(signOnFlaws)));
}

/** The page after signing in: the browser continues to the app with a code, at an address that the server chose. */
export function signInPage(reader: Reader, answered: Answered): TextAnswer {
  const texts = textsOf(reader);
  const { signOn, signOnFlaws } = texts.pages;
  if (answered.ok)
    return page(reader, texts, signOn.confirmed, signOn.signsIn, { to: answered.goTo, atOnce: true });
  const why = signOn.why(answered.flaw(signOnFlaws));
  return page(reader, texts, signOn.notSignedIn, why, { to: answered.back, atOnce: false });
}

function textsOf({ headers, services }: Reader): Texts {
  return textsFor(headers['accept-language'], services.site.langid);
}

/** `way`: a link to continue; `atOnce`: the browser opens it automatically. */
function page(
  { services: { site } }: Reader,
  { locale, pages }: Texts,
  title: string,
  text: string,
  way?: { to: string; atOnce: boolean },
): TextAnswer {
  const refresh =
    way?.atOnce === true ? safe`\n<meta http-equiv="refresh" content="0;url=${way.to}">` : nothing;
  const link = way === undefined ? nothing : safe`\n<p><a href="${way.to}">${pages.signOn.goOn}</a></p>`;
  const html = safe`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">${refresh}
<title>${title} – ${site.name}</title>
<style>body{font:1.125rem/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1.5rem;color:#1b1b1b;background:#fff}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>${link}
</main>
</body>
</html>
`;
  return new TextAnswer('text/html', html.text, {
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  });
}
