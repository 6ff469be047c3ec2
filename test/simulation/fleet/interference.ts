import type { WireFault } from './plan.ts';
import type { Answered } from './wire.ts';

const page = (text: string): string =>
  `<!doctype html><html><head><title>${text}</title></head><body><h1>${text}</h1></body></html>`;

const portal = page('Welcome to the guest network. Please sign in.');

/** Responses of an intermediary between a device and its server, by fault: status, type and text. */
const answers: Partial<Record<WireFault, [status: number, type: string, text: string]>> = {
  'portal-200': [200, 'text/html', portal],
  'portal-302': [302, 'text/html', portal],
  'portal-511': [511, 'text/html', portal],
  'proxy-401': [401, 'text/html', page('Authentication required')],
  'proxy-403': [403, 'text/html', page('Blocked by policy')],
  'proxy-407': [407, 'text/html', page('Proxy authentication required')],
  'proxy-413': [413, 'text/html', page('Request entity too large')],
  'proxy-502': [502, 'text/html', page('Bad gateway')],
  'proxy-503': [503, 'text/html', page('Service unavailable')],
  'proxy-504': [504, 'text/html', page('Gateway timeout')],
  'empty-200': [200, 'application/json', ''],
  'foreign-json': [200, 'application/json', '{"ok":true,"data":[]}'],
};

/** The response of an intermediary. */
export function interference(fault: WireFault): Answered {
  const [status, type, text] = answers[fault] ?? [502, 'text/html', page('Bad gateway')];
  // Some name an absurdly long time.
  const headers = { 'content-type': type, ...(fault === 'proxy-503' ? { 'retry-after': '31536000' } : {}) };
  return { status, headers, body: new Uint8Array(Buffer.from(text)) };
}
