import type { FastifyInstance } from 'fastify';

import type { FlagIcon } from '#server/features/guides/flags.ts';

const sheet =
  '<path d="M6 2h8l5 5v15H6z" fill="#fff" stroke="#5b6b7a" stroke-width="1.5" stroke-linejoin="round"/><path d="M14 2v5h5" fill="none" stroke="#5b6b7a" stroke-width="1.5" stroke-linejoin="round"/>';

/** An SVG icon: a sheet of paper with the letters of the file type. */
function fileIcon(letters: string): string {
  const label =
    letters === ''
      ? ''
      : `<text x="12.5" y="17" text-anchor="middle" font-family="Inter, DejaVu Sans, sans-serif" font-size="5.5" font-weight="700" fill="#a4372c">${letters}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24">${sheet}${label}</svg>`;
}

/** SVG elements of the icons of flags, in a 24 × 24 square. */
const flagDrawings: Record<FlagIcon, string> = {
  FLAG: '<path d="M6 21V4h11l-2.5 4L17 12H6"/>',
  STAR: '<path d="m12 3 2.7 5.7 6.3.8-4.6 4.3 1.2 6.2-5.6-3-5.6 3 1.2-6.2L3 9.5l6.3-.8z"/>',
  STUDENT: '<path d="M2 9.5 12 5l10 4.5L12 14zM6 11.5V16c3.5 2.7 8.5 2.7 12 0v-4.5M22 9.5V15"/>',
  PREREQ: '<path d="M4 4h7v7H4zM13 13h7v7h-7zM7.5 11v5.5H13"/>',
  PENCIL: '<path d="m4 20 1-5L16 4l4 4L9 19zM14 6l4 4"/>',
  PERSON: '<circle cx="12" cy="8" r="4"/><path d="M4 21c0-4.5 3.5-7 8-7s8 2.5 8 7"/>',
  ARCHIVE: '<path d="M3 4h18v5H3zM5 9v11h14V9M10 13h4"/>',
};

function flagIcon(drawing: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="#3d4a57" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round">${drawing}</svg>`;
}

/** Serves the icons of flags, such as `/static/images/flags/svg/STAR.svg`. */
export function mountFlagIcons(app: FastifyInstance): void {
  for (const [name, drawing] of Object.entries(flagDrawings)) {
    app.get(`/static/images/flags/svg/${name}.svg`, (_, reply) =>
      reply
        .header('Cache-Control', 'public, max-age=86400')
        .header('X-Content-Type-Options', 'nosniff')
        .type('image/svg+xml')
        .send(flagIcon(drawing)),
    );
  }
}

/** Serves the icons of documents, such as `/static/icons/pdf.svg`, for any file type. */
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
