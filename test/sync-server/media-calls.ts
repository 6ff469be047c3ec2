import sharp, { type Sharp } from 'sharp';

import type { Client } from '#shared/api/client.ts';
import type { media } from '#shared/api/media.ts';
import type { ImageWithMetadata } from '#shared/model/image.ts';
import type { TestPerson, TestServer } from '#test/support/server.ts';
import { workshopClient } from '#test/support/workshop.ts';

/** The media calls of people on the server of the running test. */
export function mediaCalls(server: () => TestServer) {
  const mediaOf = (person: TestPerson): Client<{ media: typeof media }>['media'] =>
    workshopClient(server(), person).media;

  /** Uploads a picture. */
  async function upload(
    person: TestPerson,
    bytes: Uint8Array,
    file: string,
    query: object = {},
  ): Promise<ImageWithMetadata> {
    return mediaOf(person).addImage({ query: { file, ...query }, body: Uint8Array.from(bytes) });
  }
  return { mediaOf, upload };
}

/** The response and the bytes at a URL. */
export async function fetched(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ response: Response; bytes: Buffer }> {
  const response = await fetch(url, { headers });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** A picture with a red left and a blue right half. */
export function twoHalves(width: number, height: number): Sharp {
  const red = {
    create: { width: Math.floor(width / 2), height, channels: 3, background: '#ff0000' },
  } as const;
  return sharp({ create: { width, height, channels: 3, background: '#0000ff' } }).composite([
    { input: red, left: 0, top: 0 },
  ]);
}
