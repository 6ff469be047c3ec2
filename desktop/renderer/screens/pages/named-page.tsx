import { Redirect } from 'wouter';

import { useLive } from '#desktop/renderer/use-live.ts';
import { wikiPath } from '#shared/rules/urls.ts';

import { kindOf, pageAddress } from './page-address.ts';
import { PageGone } from './page-gone.tsx';

/** Redirects links that name a page by its title, as addresses of the site do. */
export function NamedPage({ kind, title }: { kind: string; title: string }) {
  const namespace = kindOf(kind);
  const pages = useLive('pages', namespace);
  const wanted = spelled(title);
  const found = pages.find((page) => spelled(nameIn(wikiPath(namespace, page.title))) === wanted);
  return found === undefined ? <PageGone /> : <Redirect to={pageAddress(found.wikiid)} replace />;
}

/** The last part of a path. */
function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Normalizes a title in an address, where spaces may be `+`, `_` or `%20`. */
function spelled(name: string): string {
  const spaced = name.replaceAll(/[+_]/g, ' ');
  try {
    return decodeURIComponent(spaced).toLowerCase();
  } catch {
    return spaced.toLowerCase();
  }
}
