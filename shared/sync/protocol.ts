import { z } from 'zod';

/** A range of protocols of `/sync/1`, both ends included. */
export interface ProtocolRange {
  oldest: number;
  newest: number;
}

/**
 * The protocols that this code speaks, as a server and as a device. Additions do not raise the number: a device of
 * protocol 6 ignores what it does not know. A device of protocol 5 refuses what it does not know.
 */
export const protocolRange: ProtocolRange = { oldest: 5, newest: 6 };

/** The protocol of a device that announces none. */
export const unannouncedProtocol = 5;

/** The first protocol in which devices ignore what they do not know, so that messages may gain fields. */
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

/** The range that a device announced; null when it announced none, or one that cannot be read. */
export function parseAnnouncement(text: unknown): ProtocolRange | null {
  const parsed = announcement.parse(text);
  if (parsed === undefined) return null;
  const [oldest = 0, newest = oldest] = parsed.split('-').map(Number);
  return oldest <= newest ? { oldest, newest } : null;
}

/** The protocol that both sides speak, or the side that is too old for a common one. */
export type Negotiated = { protocol: number } | { tooOld: 'client' | 'server' };

/** The highest protocol that both sides speak. `device`: null when the device announced none. */
export function negotiate(device: ProtocolRange | null, server: ProtocolRange = protocolRange): Negotiated {
  const { oldest, newest } = device ?? { oldest: unannouncedProtocol, newest: unannouncedProtocol };
  if (newest < server.oldest) return { tooOld: 'client' };
  if (oldest > server.newest) return { tooOld: 'server' };
  return { protocol: Math.min(newest, server.newest) };
}
