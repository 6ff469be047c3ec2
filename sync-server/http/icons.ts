import type { FastifyInstance } from 'fastify';

const sheet =
  '<path d="M6 2h8l5 5v15H6z" fill="#fff" stroke="#5b6b7a" stroke-width="1.5" stroke-linejoin="round"/><path d="M14 2v5h5" fill="none" stroke="#5b6b7a" stroke-width="1.5" stroke-linejoin="round"/>';

/** A sheet of paper with the letters of its file type on it. */
function fileIcon(letters: string): string {
  const label =
    letters === ''
      ? ''
      : `<text x="12.5" y="17" text-anchor="middle" font-family="Inter, DejaVu Sans, sans-serif" font-size="5.5" font-weight="700" fill="#a4372c">${letters}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24">${sheet}${label}</svg>`;
}

/** Serves the icons that records of documents point to: `/static/icons/pdf.svg`, and the same for other endings. */
export function mountIcons(app: FastifyInstance): void {
  app.get<{ Params: { name: string } }>('/static/icons/:name', (request, reply) => {
    const letters = /^([a-z0-9]{1,4})\.svg$/.exec(request.params.name)?.[1] ?? '';
    return reply
      .header('Cache-Control', 'public, max-age=86400')
      .header('X-Content-Type-Options', 'nosniff')
      .type('image/svg+xml')
      .send(fileIcon(letters === 'file' ? '' : letters.toUpperCase()));
  });
}
