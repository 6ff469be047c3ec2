import { expect, test } from 'vitest';

import { linkTarget, playerAddress } from '#desktop/renderer/ui/link-target.ts';
import { readMarkup } from '#desktop/renderer/ui/markup-tree.ts';

test('elements, attributes and entities are read', () => {
  expect(readMarkup('<p>A &lt; <strong class="x">B&nbsp;C</strong><br />D &para;</p>')).toEqual([
    {
      tag: 'p',
      attributes: {},
      children: [
        'A < ',
        { tag: 'strong', attributes: {}, children: ['B\u00a0C'] },
        { tag: 'br', attributes: {}, children: [] },
        'D ¶',
      ],
    },
  ]);
});

test('a link keeps its address, with entities decoded once', () => {
  expect(readMarkup('<a href="/x?a=1&amp;lt;b" onclick="run()">y</a>')).toEqual([
    { tag: 'a', attributes: { href: '/x?a=1&lt;b' }, children: ['y'] },
  ]);
});

test('scripts, styles and handlers leave nothing behind', () => {
  expect(readMarkup('a<script>run("<b>")</script>b<style>p{}</style><img src=x onerror=run()>')).toEqual([
    'a',
    'b',
    { tag: 'img', attributes: { src: 'x' }, children: [] },
  ]);
});

test('unknown elements are replaced by their text, unclosed ones end with the text', () => {
  expect(readMarkup('<form><p>a<em>b')).toEqual([
    { tag: 'p', attributes: {}, children: ['a', { tag: 'em', attributes: {}, children: ['b'] }] },
  ]);
});

test('a lone bracket is a bracket', () => {
  expect(readMarkup('1 < 2')).toEqual(['1 ', '<', ' 2']);
});

test.for<[string, unknown]>([
  ['/Guide/Belt/9002', { kind: 'app', href: '/guides/9002' }],
  ['https://guides.example.org/Guide/Belt/9002', { kind: 'app', href: '/guides/9002' }],
  [
    'https://elsewhere.example/Guide/Belt/9002',
    { kind: 'away', href: 'https://elsewhere.example/Guide/Belt/9002' },
  ],
  ['/guides/9002', { kind: 'app', href: '/guides/9002' }],
  ['#Section_Two', { kind: 'section', id: 'Section_Two' }],
  ['/Document/x.pdf', { kind: 'away', href: 'https://guides.example.org/Document/x.pdf' }],
  ['javascript:run()', { kind: 'none' }],
  ['data:text/html,x', { kind: 'none' }],
])('a link to %s leads to the right place', ([href, target]) => {
  expect(linkTarget(href, 'https://guides.example.org')).toEqual(target);
});

test.for([
  ['/Info/Workshop+rules', '/pages/named/INFO/Workshop+rules'],
  ['https://guides.example.org/c/Bench+Grinder', '/pages/named/CATEGORY/Bench+Grinder'],
  ['/Item/Drive_belt', '/pages/named/ITEM/Drive_belt'],
  ['/User/7/Ana+Ruiz', '/people/7'],
  ['/Team/3/Line+B', '/teams/3'],
])('%s opens in the app', ([href = '', inApp]) => {
  expect(linkTarget(href, 'https://guides.example.org')).toEqual({ kind: 'app', href: inApp });
  expect(
    linkTarget(
      `https://other.example${new URL(href, 'https://x.example').pathname}`,
      'https://guides.example.org',
    ).kind,
  ).toBe('away');
});

test('only known players are shown', () => {
  expect(playerAddress('https://player.vimeo.com/video/1')).toBe('https://player.vimeo.com/video/1');
  expect(playerAddress('https://evil.example/video/1')).toBeNull();
  expect(playerAddress('javascript:run()')).toBeNull();
});
