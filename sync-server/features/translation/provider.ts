import { z } from 'zod';

import type { Services } from '#server/core/services.ts';

declare module '#server/core/services.ts' {
  interface Services {
    /** The settings of the translation provider that failed last, and the time until which it is not called. */
    restingProvider: { settings: string; until: number };
  }
}

/** Timeout of a request to the provider, ms, and the largest answer, bytes. */
const timeoutMs = 5000;
const mostBytes = 1_000_000;
/** Number of texts in a request. */
export const batchSize = 50;
/** Pause after a failure of the provider, so that callers do not wait for it, ms. */
const restMs = 60_000;

const answer = z.object({ translatedText: z.array(z.string()) });

/** Whether a provider is configured and has not failed just now. Changed settings count as another provider. */
export function hasProvider(services: Services): boolean {
  const { site, restingProvider, now } = services;
  if (site.translation === null) return false;
  return restingProvider.until <= now() || restingProvider.settings !== settingsOf(services);
}

function settingsOf({ site }: Services): string {
  return JSON.stringify([site.translation, site.private_networks]);
}

/** The endpoint for translations. Settings have the address of the provider or of its endpoint. */
function endpointOf(url: string): string {
  return `${url.replace(/\/+$/, '').replace(/\/translate$/, '')}/translate`;
}

/**
 * Translates texts with the site's LibreTranslate-compatible provider (`POST /translate`). Returns undefined if it
 * fails; then it is not called for a while.
 */
export async function askProvider(
  services: Services,
  texts: readonly string[],
  source: string,
  target: string,
): Promise<string[] | undefined> {
  const { translation } = services.site;
  if (translation === null || !hasProvider(services)) return undefined;
  const settings = settingsOf(services);
  try {
    const { status, body } = await services.outbound.call(endpointOf(translation.url), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({
        q: texts,
        source,
        target,
        format: 'text',
        ...(translation.key === null ? {} : { api_key: translation.key }),
      }),
      timeoutMs,
      mostBytes,
    });
    if (status !== 200) throw new Error(`The provider answered ${status}`);
    const { translatedText } = answer.parse(JSON.parse(body.toString('utf8')));
    if (translatedText.length !== texts.length) throw new Error('The provider left texts out');
    return translatedText;
  } catch (error) {
    services.log.warn({ err: error }, 'titles could not be translated');
    Object.assign(services.restingProvider, { settings, until: services.now() + restMs });
    return undefined;
  }
}
