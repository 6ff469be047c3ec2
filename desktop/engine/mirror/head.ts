import { readHead } from '#shared/sync/reading.ts';
import type { FeedHead } from '#shared/sync/wire.ts';

import type { Answering, Link } from '../link.ts';

/**
 * Reads the first line of an answer: from it the device learns the server's clock and the protocol that is spoken.
 * @throws ForeignAnswer when the line is no head of the server
 */
export function learnHead(text: string, link: Link, answering: Answering): FeedHead {
  const head = link.parsed(answering, readHead, text);
  link.learnProtocol(head.protocol);
  link.learnNow(head.now, answering);
  return head;
}
