/** Who writes, and why. Every write has one. */
export interface Origin {
  /** null: the server itself, the command line, or an anonymous caller. */
  userid: number | null;
  /** The current name; accounts may be renamed later. */
  name: string;
  /** The administrator who acts as this person. */
  impersonator?: number | undefined;
  /** Method and path template of a call, name of a job or of a command. */
  action: string;
  /** IP address of the caller. */
  address?: string | undefined;
  /** The record of the write, if it is known before the work. */
  object?: AuditObject | undefined;
}

/** A record: kind and id. */
export interface AuditObject {
  kind: string;
  id: string;
}

/** What the work adds to its log row while it writes. Missing properties follow from the changed rows. */
export interface AuditNote {
  object?: AuditObject | undefined;
  /** The author, if known only inside the work. */
  by?: { userid: number; name: string };
  action?: string;
  /** `refused`: a failed attempt is logged too, although nothing changed. */
  outcome?: 'done' | 'refused';
  /** Facts that no changed row contains. */
  facts?: Readonly<Record<string, string | number | boolean | null>>;
}

/** The origin of writes that a process makes itself. */
export type Acting = Pick<Origin, 'name' | 'action' | 'object' | 'address' | 'impersonator'>;

/** The origin of the server's own writes. */
export const theServer: Acting = { name: 'Server', action: 'server' };

/** The origin of a write that a process makes itself. `action`: a more precise reason. */
export function ownOrigin({ acting }: { acting: Acting }, action?: string): Origin {
  return {
    userid: null,
    ...acting,
    ...(action === undefined ? {} : { action: actionWithin(acting, action) }),
  };
}

/** Services whose writes name the address of a request, for requests that are not calls of the API. */
export function actingFrom<T extends { acting: Acting }>(services: T, address: string): T {
  return { ...services, acting: { ...services.acting, address } };
}

/** For commands, the action follows the name of the command. */
function actionWithin(acting: Acting, action: string): string {
  return acting.action === theServer.action ? action : `${acting.action}: ${action}`;
}
