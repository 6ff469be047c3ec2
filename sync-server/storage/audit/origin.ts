/** Who writes, and what for: no write without it. */
export interface Origin {
  /** null: the server itself, the command line, or somebody who is not signed in. */
  userid: number | null;
  /** What they are called at this moment; an account may be renamed. */
  name: string;
  /** The administrator who acts as this person. */
  impersonator?: number | undefined;
  /** Method and path template of a call, name of a job or of a command. */
  action: string;
  /** Where a call came from. */
  address?: string | undefined;
  /** The record that it is about, where that is known beforehand. */
  object?: AuditObject | undefined;
}

/** A record: kind and id. */
export interface AuditObject {
  kind: string;
  id: string;
}

/** What work says of itself while it writes; what it does not say follows from the rows that it changed. */
export interface AuditNote {
  object?: AuditObject | undefined;
  /** Who did it, where that is known only inside the work. */
  by?: { userid: number; name: string };
  action?: string;
  /** An attempt that was turned down is written too, although nothing changed. */
  outcome?: 'done' | 'refused';
  /** Facts that no row shows. */
  facts?: Readonly<Record<string, string | number | boolean | null>>;
}

/** As whom and why a process writes where nobody else is named. */
export type Acting = Pick<Origin, 'name' | 'action' | 'object' | 'address' | 'impersonator'>;

/** The server on its own. */
export const theServer: Acting = { name: 'Server', action: 'server' };

/** The origin of what a process does by itself. `action`: what for, where its own name for it says too little. */
export function ownOrigin({ acting }: { acting: Acting }, action?: string): Origin {
  return {
    userid: null,
    ...acting,
    ...(action === undefined ? {} : { action: actionWithin(acting, action) }),
  };
}

/** The same, for a request that came from an address and is no call of the API. */
export function actingFrom<T extends { acting: Acting }>(services: T, address: string): T {
  return { ...services, acting: { ...services.acting, address } };
}

/** What a command does in detail is told after the name of the command. */
function actionWithin(acting: Acting, action: string): string {
  return acting.action === theServer.action ? action : `${acting.action}: ${action}`;
}
