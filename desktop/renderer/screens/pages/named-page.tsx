import { Redirect } from 'wouter';

import { useLive } from '#desktop/renderer/use-live.ts';
import { wikiPath } from '#shared/rules/urls.ts';

import { kindOf, pageAddress } from './page-address.ts';
import { PageGone } from './page-screen.tsx';

/** Links within texts name a page by its title, spelled as in addresses of the site. */
export function NamedPage({ kind, title }: { kind: string; title: string }) {
  const namespace = kindOf(kind);
  const pages = useLive('pages', namespace);
  const wanted = spelled(title);
  const found = pages.find((page) => spelled(nameIn(wikiPath(namespace, page.title))) === wanted);
  return found === undefined ? <PageGone /> : <Redirect to={pageAddress(found.wikiid)} replace />;
}

/** The last part of an address. */
function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Spaces are `+`, `_` or `%20`, as the writer of the link liked. */
function spelled(name: string): string {
  const spaced = name.replaceAll(/[+_]/g, ' ');
  try {
    return decodeURIComponent(spaced).toLowerCase();
  } catch {
    return spaced.toLowerCase();
  }
}
