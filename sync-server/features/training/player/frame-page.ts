import type { FastifyInstance } from 'fastify';

import { safe } from '#shared/html.ts';
import { actingFrom } from '#server/storage/audit/origin.ts';
import type { Services } from '#server/core/services.ts';
import { baseUrlOf } from '#server/http/proxies.ts';
import { textsFor, type Texts } from '#server/text/texts.ts';

import { appOriginOf } from '../origins.ts';
import { permissionsPolicy, sandbox } from './policies.ts';
import { openSession, sessionOf } from './sessions.ts';

/**
 * The page of the app in which a module is played: a frame with a line above it, without scripts. It has its own
 * window, so that a module shares neither window nor history with the screens of the app.
 */
export function mountFramePage(app: FastifyInstance, services: Services): void {
  const player = { ...services, acting: { name: 'Player', action: 'play a training module' } };
  app.get<{ Params: { link: string } }>('/modules/open/:link', async (request, reply) => {
    const token = await openSession(actingFrom(player, request.ip), request.params.link);
    return reply.redirect(`/modules/play/${token}`, 303);
  });
  app.get<{ Params: { token: string } }>('/modules/play/:token', async (request, reply) => {
    const { token, moduleid, langid, package: played } = await sessionOf(services, request.params.token);
    const appOrigin = appOriginOf(baseUrlOf(request), { named: services.namedOrigins });
    const texts = textsFor(request.headers['accept-language'], langid);
    const origin = await services.training.origins.open(moduleid, appOrigin);
    return reply
      .headers({
        'Content-Security-Policy': `default-src 'none'; style-src 'self'; img-src data:; frame-src ${origin}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Permissions-Policy': permissionsPolicy,
        'Referrer-Policy': 'no-referrer',
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'no-store',
      })
      .type('text/html; charset=utf-8')
      .send(framePage(texts, played.title, `${origin}/play/${token}/`));
  });
  app.get('/modules/frame.css', (_request, reply) =>
    reply
      .headers({ 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-cache' })
      .type('text/css; charset=utf-8')
      .send(frameStyle),
  );
}

/** `credentialless`: browsers that support it discard cookies and storage of the module with the page. */
function framePage({ locale, pages: { frame } }: Texts, title: string, url: string): string {
  return safe`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/modules/frame.css">
</head>
<body>
<p>${frame.warning}</p>
<iframe title="${title}" sandbox="${sandbox}" credentialless allow="autoplay" referrerpolicy="no-referrer" src="${url}"></iframe>
</body>
</html>
`.text;
}

const frameStyle = `
:root { color-scheme: light dark; font-family: system-ui, sans-serif; }
body { margin: 0; display: flex; flex-direction: column; height: 100vh; height: 100dvh; }
p { margin: 0; padding: 0.375rem 1rem; font-size: 0.875rem; line-height: 1.25rem; color: light-dark(#3d4654, #c3cad5); background: light-dark(#eef1f5, #1d232d); border-block-end: 1px solid light-dark(#cfd6df, #37404d); }
iframe { flex: 1; min-height: 0; width: 100%; border: 0; }
`;
