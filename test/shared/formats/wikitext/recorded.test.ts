import { describe, expect, it } from 'vitest';
import { plainContext } from '#shared/formats/wikitext/context.ts';
import { renderBlocks, renderComment, renderLine } from '#shared/formats/wikitext/html.ts';
import { readJson } from './fixtures.ts';

interface Pair {
  kind: 'line' | 'block' | 'comment';
  raw: string;
  rendered: string;
  from: string;
}

const renderers = { line: renderLine, block: renderBlocks, comment: renderComment };
const recordedSite = {
  ...plainContext,
  siteUrl: 'https://opensourceecology.dozuki.com',
  siteHosts: ['opensourceecology.dozuki.com'],
};

/** The only pairs that depend on other content: a link to the recorded site itself. */
function dependsOnSite({ raw }: Pair): boolean {
  return raw.includes('opensourceecology.dozuki.com');
}

describe('recorded pairs', () => {
  const pairs = readJson<Pair[]>('wikitext/raw-rendered-pairs.json');

  it('WIKITEXT-1 renders every recorded text exactly like the live service', () => {
    expect(pairs).toHaveLength(1055);
    const wrong = pairs
      .map((pair) => ({
        pair,
        html: renderers[pair.kind](pair.raw, dependsOnSite(pair) ? recordedSite : plainContext),
      }))
      .filter(({ pair, html }) => html !== pair.rendered);
    expect(wrong).toEqual([]);
  });

  it('WIKITEXT-1 needs other content only for the link to the own site', () => {
    const dependent = pairs.filter(dependsOnSite);
    expect(dependent.map(({ from }) => from)).toEqual(['step 236']);
    for (const pair of dependent) expect(renderers[pair.kind](pair.raw)).not.toBe(pair.rendered);
  });
});
