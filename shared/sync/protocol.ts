import { z } from 'zod';

/** A range of protocols of `/sync/1`, both ends included. */
export interface ProtocolRange {
  oldest: number;
  newest: number;
}

/**
 * What this code speaks, as a server and as a device. Additions raise no number: who speaks protocol 6 ignores what it
 * does not know. Protocol 5 is spoken by devices that refuse what they do not know.
 */
export const protocolRange: ProtocolRange = { oldest: 5, newest: 6 };

/** What a device speaks that announces nothing. */
export const unannouncedProtocol = 5;

/** From here on a device ignores what it does not know, so that messages may carry more than their first shape. */
export const tolerantProtocol = 6;

/** The range as a device announces it in the query of each request, such as `5-6`. */
export function announced({ oldest, newest }: ProtocolRange): string {
  return `${oldest}-${newest}`;
}

/** The query parameter `protocol` of every request to `/sync/1`. */
export const announcement = z
  .string()
  .regex(/^\d{1,4}(-\d{1,4})?$/)
  .optional()
  .catch(undefined)
  .meta({
    description:
      'The protocols that the device speaks, oldest and newest, such as `5-6`. Without it the server speaks protocol 5.',
  });

/** The range that a device announced; null when it announced none, or nothing that can be read. */
export function parseAnnouncement(text: unknown): ProtocolRange | null {
  const parsed = announcement.parse(text);
  if (parsed === undefined) return null;
  const [oldest = 0, newest = oldest] = parsed.split('-').map(Number);
  return oldest <= newest ? { oldest, newest } : null;
}

/** The protocol that two sides speak, or which of the two is too old to find one. */
export type Negotiated = { protocol: number } | { tooOld: 'client' | 'server' };

/** The highest protocol that both speak. `device`: null when it announced nothing. */
export function negotiate(device: ProtocolRange | null, server: ProtocolRange = protocolRange): Negotiated {
  const { oldest, newest } = device ?? { oldest: unannouncedProtocol, newest: unannouncedProtocol };
  if (newest < server.oldest) return { tooOld: 'client' };
  if (oldest > server.newest) return { tooOld: 'server' };
  return { protocol: Math.min(newest, server.newest) };
}
