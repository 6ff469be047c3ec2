import { createElement, Fragment, type ReactNode } from 'react';
import { Link } from 'react-aria-components';

import { archivedFileAt } from '#desktop/engine/features/archives/ids.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { useLive, useLiveSoon } from '#desktop/renderer/use-live.ts';

import { classNames } from './class-names.ts';
import { linkTarget, playerAddress } from './link-target.ts';
import { readMarkup, type MarkupElement, type MarkupNode } from './markup-tree.ts';
import styles from './rich-html.module.css';

/**
 * Shows rendered text as React elements of the allowed set. It is never inserted as markup, which the page's policy
 * forbids.
 */
export function RichHtml({ html, size = 'body' }: { html: string; size?: 'body' | 'line' }) {
  const { server } = useLive('session');
  return <div className={classNames(styles, 'rich', size)}>{nodes(readMarkup(html), server)}</div>;
}

function nodes(list: readonly MarkupNode[], server: string | null): ReactNode {
  return list.map((node, index) => (
    // Rendered text has no ids.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>{typeof node === 'string' ? node : element(node, server)}</Fragment>
  ));
}

function element(node: MarkupElement, server: string | null): ReactNode {
  const { tag, attributes } = node;
  switch (tag) {
    case 'a':
      return link(node, server);
    case 'img':
      return picture(attributes['src'] ?? '', attributes['alt'] ?? '');
    case 'iframe':
    case 'div':
      return attributes['src'] === undefined ? (
        <div>{nodes(node.children, server)}</div>
      ) : (
        player(attributes['src'])
      );
    case 'br':
    case 'hr':
      return createElement(tag);
    case 'td':
    case 'th':
      return createElement(
        tag,
        { colSpan: Number(attributes['colspan'] ?? 1), rowSpan: Number(attributes['rowspan'] ?? 1) },
        nodes(node.children, server),
      );
    default:
      return createElement(tag, { id: attributes['id'] }, nodes(node.children, server));
  }
}

function picture(address: string, alt: string): ReactNode {
  const archived = archivedFileAt(address);
  return archived === null ? (
    <img src={address} alt={alt} loading="lazy" />
  ) : (
    <ArchivedPicture guid={archived} alt={alt} />
  );
}

/** A picture of an archive, unpacked when it is shown. */
function ArchivedPicture({ guid, alt }: { guid: string; alt: string }) {
  const src = useLiveSoon('picture', guid, 'large') ?? null;
  return src === null ? null : <img src={src} alt={alt} />;
}

function player(address: string): ReactNode {
  const src = playerAddress(address);
  if (src === null) return null;
  return <iframe src={src} title={text.player.video} allowFullScreen loading="lazy" />;
}

function link({ attributes, children }: MarkupElement, server: string | null): ReactNode {
  if (attributes['class'] === 'anchor') return null;
  const words = nodes(children, server);
  const target = linkTarget(attributes['href'] ?? '', server);
  switch (target.kind) {
    case 'app':
      return <Link href={target.href}>{words}</Link>;
    case 'section':
      return (
        <Link onPress={() => document.getElementById(target.id)?.scrollIntoView({ behavior: 'smooth' })}>
          {words}
        </Link>
      );
    case 'away':
      return (
        <a href={target.href} target="_blank" rel="noopener noreferrer">
          {words}
        </a>
      );
    case 'none':
      return words;
    default:
      return target satisfies never;
  }
}
