/** At the address of a home there is another server, or its token belongs to another account. */
export class OtherServer extends Error {
  override name = 'OtherServer';
}

/** What answers is not the server that it says it is. */
export class Impostor extends Error {
  override name = 'Impostor';
}
