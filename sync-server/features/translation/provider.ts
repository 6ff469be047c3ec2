import { z } from 'zod';

import type { Services } from '#server/core/services.ts';

declare module '#server/core/services.ts' {
  interface Services {
    /** The provider of translations that failed last, as it was set then, and until when it is left alone. */
    restingProvider: { settings: string; until: number };
  }
}

/** How long one request to the provider may take, ms, and how long its answer may be, bytes. */
const timeoutMs = 5000;
const mostBytes = 1_000_000;
/** Texts in one request. */
export const batchSize = 50;
/** A provider that failed is left alone for this long, ms: nobody waits for it meanwhile. */
const restMs = 60_000;

const answer = z.object({ translatedText: z.array(z.string()) });

/** Whether a provider is configured that did not fail a moment ago; another setting is another provider. */
export function hasProvider(services: Services): boolean {
  const { site, restingProvider, now } = services;
  if (site.translation === null) return false;
  return restingProvider.until <= now() || restingProvider.settings !== settingsOf(services);
}

function settingsOf({ site }: Services): string {
  return JSON.stringify([site.translation, site.private_networks]);
}

/** Where texts are sent: settings name the provider, or what its documentation calls the endpoint. */
function endpointOf(url: string): string {
  return `${url.replace(/\/+$/, '').replace(/\/translate$/, '')}/translate`;
}

/**
 * Translates texts by the site's LibreTranslate-compatible provider (`POST /translate`). Undefined when it cannot; it is
 * then left alone for a while.
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
