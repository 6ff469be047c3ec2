import { readHead } from '#shared/sync/reading.ts';
import type { FeedHead } from '#shared/sync/wire.ts';

import type { Answering, Link } from '../link.ts';

/**
 * Reads the first line of an answer: from it the device learns the server's clock and the protocol that is spoken,
 * and that it is the server that it expects.
 * @throws ForeignAnswer when the line is no head of the server
 * @throws OtherServerAnswered when it is the head of another one
 */
export function learnHead(text: string, link: Link, answering: Answering): FeedHead {
  const head = link.parsed(answering, readHead, text);
  link.learnServer(head.server);
  link.learnProtocol(head.protocol);
  link.learnNow(head.now, answering);
  return head;
}
