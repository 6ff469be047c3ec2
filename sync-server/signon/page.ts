import { TextAnswer } from '#server/http/answers.ts';

import type { Consumed } from './requests.ts';

/** The page loads nothing and runs nothing. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** What a person sees who comes back from the identity provider. The app, which asked, hears of it by itself. */
export function resultPage(siteName: string, consumed: Consumed): TextAnswer {
  const [title, text] = consumed.ok
    ? ['You are confirmed', 'Go back to the app and sign. You can close this page.']
    : ['You are not confirmed', `${consumed.reason}. Go back to the app and begin again.`];
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} – ${escaped(siteName)}</title>
<style>body{font:1.125rem/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1.5rem;color:#1b1b1b;background:#fff}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>
</main>
</body>
</html>
`;
  return new TextAnswer('text/html', page, {
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  });
}

function escaped(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replaceAll(/[&<>"]/g, (character) => names[character] ?? character);
}
