import { addressBlock } from './address-block.ts';

/** Names the owner of work for a `FairQueue`: a person with all their devices, or an address block if not signed in. */
export function callerOf({ viewer, address }: { viewer: { userid: number }; address: string }): string {
  return viewer.userid === 0 ? `address ${addressBlock(address)}` : callerNumbered(viewer.userid);
}

/** The same for a person who is not the caller, such as the one whose archive is imported. */
export function callerNumbered(userid: number): string {
  return `user ${userid}`;
}
