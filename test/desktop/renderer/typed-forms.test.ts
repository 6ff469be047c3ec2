import { expect, test } from 'vitest';

import { typedPage, typedProfile } from '#desktop/renderer/typed-forms.ts';

const image = { id: 5, guid: 'aBcD', width: 800, height: 600 };

test('typed text is restored although a newer server added properties to what the page contains', () => {
  const page = {
    name: 'Rules',
    displayTitle: 'Rules',
    description: '',
    contents: 'Half a thought',
    image,
    documents: [
      {
        documentid: 7,
        guid: 'eFgH',
        text: 'Manual',
        extension: 'pdf',
        icon: '',
        url: '/document/7',
        download_url: '/document/7/manual.pdf',
      },
    ],
    info: [{ name: 'Weight', value: '4 kg' }],
    suppliers: [{ 'part_#': '4711', type: 'shop', supplier: 'Ana', url: 'https://example.com' }],
  };
  const parsed = typedPage.parse(page);
  const newer = <T extends object>(part: T): T => ({ ...part, added: 'by a newer server' });
  expect(
    typedPage.safeParse({
      ...page,
      image: newer(image),
      documents: page.documents.map(newer),
      info: page.info.map(newer),
      suppliers: page.suppliers.map(newer),
    }).data,
  ).toEqual(parsed);
});

test('a typed profile is restored although a newer server added properties to its picture', () => {
  const profile = {
    name: 'Ana',
    uniqueName: null,
    summary: 'Half a thought',
    about: '',
    location: '',
    image,
  };
  expect(typedProfile.safeParse({ ...profile, image: { ...image, added: true } }).data).toEqual(profile);
});
