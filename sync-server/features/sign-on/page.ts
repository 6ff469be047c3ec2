import { nothing, safe } from '#shared/html.ts';
import { TextAnswer } from '#server/http/answers.ts';

import type { Consumed } from './requests.ts';
import type { Answered } from './sign-ins.ts';

/** The page loads nothing and runs no scripts. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** The page after a sign-on for a signature. The app that started it polls for the result. */
export function resultPage(siteName: string, consumed: Consumed): TextAnswer {
  return consumed.ok
    ? page(siteName, 'You are confirmed', 'Go back to the app and sign. You can close this page.')
    : page(siteName, 'You are not confirmed', `${consumed.reason}. Go back to the app and begin again.`);
}

/** The page after signing in: the browser continues to the app with a code, at an address that the server chose. */
export function signInPage(siteName: string, answered: Answered): TextAnswer {
  return answered.ok
    ? page(siteName, 'You are confirmed', 'The app signs you in.', { to: answered.goTo, atOnce: true })
    : page(siteName, 'You are not signed in', `${answered.reason}.`, { to: answered.back, atOnce: false });
}

/** `way`: a link to continue; `atOnce`: the browser opens it automatically. */
function page(
  siteName: string,
  title: string,
  text: string,
  way?: { to: string; atOnce: boolean },
): TextAnswer {
  const refresh =
    way?.atOnce === true ? safe`\n<meta http-equiv="refresh" content="0;url=${way.to}">` : nothing;
  const link = way === undefined ? nothing : safe`\n<p><a href="${way.to}">Go on to the app</a></p>`;
  const html = safe`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">${refresh}
<title>${title} – ${siteName}</title>
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
