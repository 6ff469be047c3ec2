import { apiPrefix } from './mount.ts';

const singular = `${apiPrefix}/guide/`;

/**
 * The address as the contract spells it: clients use `/guide/…` and `/guides/…` alike. `/guide/{guideid}/public` is
 * the contract's own spelling.
 */
export function contractUrl(url: string): string {
  if (!url.startsWith(singular)) return url;
  const rest = url.slice(singular.length);
  return /^[^/?]+\/public\/?(?:\?|$)/.test(rest) ? url : `${apiPrefix}/guides/${rest}`;
}
