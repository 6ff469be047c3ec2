import { readFileSync } from 'node:fs';

import type { Guide } from '#shared/model/guide-record.ts';
import { bmpFile, pdfFile } from '#test/support/media-files.ts';
import type { TestPerson, TestServer } from '#test/support/server.ts';

export const admin = ['User', 'Author', 'Moderator', 'Admin'];

export function fixture(path: string): Buffer {
  return readFileSync(new URL(`../fixtures/${path}`, import.meta.url));
}

export async function uploaded(server: TestServer, person: TestPerson, path: string, bytes: Uint8Array) {
  const response = await fetch(`${server.url}/api/2.0/user/media/${path}`, {
    method: 'POST',
    headers: { Authorization: `api ${person.token}` },
    body: new Uint8Array(bytes),
  });
  return (await response.json()) as {
    image: { id: number; guid: string };
    documentid: number;
    videoid: number;
  };
}

/** A private guide with every kind of file: a marked picture, one in a text, a document. */
export async function richGuide(server: TestServer, person: TestPerson): Promise<Guide> {
  await server.category('Workshop', undefined, 'All machines.');
  await server.category('Bench Grinder', 'Workshop', 'One belt.');
  const grey = bmpFile(80, 60, () => [90, 90, 90]);
  const { image } = await uploaded(server, person, 'images?file=grey.bmp', grey);
  const { documentid } = await uploaded(server, person, 'documents?file=Belt.pdf', pdfFile());
  const made = await person.call('POST', '/guides', {
    category: 'Bench Grinder',
    type: 'repair',
    title: 'Belt',
    introduction: `See [image|${image.id}].`,
    documents: [documentid],
    image: image.id,
    steps: [
      {
        title: 'Open',
        lines: [{ text: "Undo '''three''' screws", bullet: 'red' }],
        media: { type: 'image', data: [{ imageid: image.id, markup: ';circle,40x30,10,red;' }] },
      },
      { title: 'Close', lines: [{ text: 'As before' }, { text: 'Firmly', level: 1 }] },
    ],
  });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  await person.call('PUT', `/guides/${(made.body as Guide).guideid}/tag`, { tag: 'belts' });
  return made.body as Guide;
}
