import { Problem } from '#shared/api/problem.ts';

import type { TrainingFiles } from './files.ts';

/**
 * The origins at which modules are played: one per module, because a module has the storage and the permissions of its
 * origin. Hosts are named after a module (`https://m7.modules.example.org`); without host names, each module has a
 * port.
 */
export interface ModuleOrigins {
  /**
   * Opens and returns the origin of a module for people who reach the app at `appOrigin`.
   * @throws Problem 503, which says what to set, if the module has no origin of its own
   */
  open(moduleid: number, appOrigin: string): Promise<string>;
  /** The origin of the module for a request to this host (`Host`); null if the module has another origin. */
  at(moduleid: number, host: string): string | null;
  /** The origins of the app, as seen by a learner at this host. */
  appOrigins(host: string): string[];
  close(): Promise<void>;
}

/** The known origins of the app. */
export interface AppOrigins {
  /** Configured origins: the site's address and `--origin`. */
  named: () => readonly string[];
  /** The address at which the server listens; null while it does not. */
  listensAt: () => string | null;
}

/** Listens on a port for one module, or for all; resolves with the port. */
export type ListenForModule = (port: number) => Promise<number>;

/**
 * The origin of the app as seen by the caller. Behind a proxy that ends TLS, it is the named origin with the same host.
 */
export function appOriginOf(baseUrl: string, { named }: Pick<AppOrigins, 'named'>): string {
  const { host } = new URL(baseUrl);
  return named().find((one) => new URL(one).host === host) ?? baseUrl;
}

/** Host names below one domain, which all lead to one port. `pattern`: `https://*.modules.example.org`. */
export class HostOrigins implements ModuleOrigins {
  readonly #pattern: string;
  readonly #app: AppOrigins;

  constructor(pattern: string, app: AppOrigins) {
    this.#pattern = pattern;
    this.#app = app;
  }

  async open(moduleid: number, appOrigin: string): Promise<string> {
    if (!this.appOrigins().includes(appOrigin))
      throw new Problem(
        'unavailable',
        `Modules can be played only if the server knows its own address: start it with --origin and the address at which people reach it (this call came to ${appOrigin})`,
      );
    return this.#originOf(moduleid);
  }

  at(moduleid: number, host: string): string | null {
    const origin = this.#originOf(moduleid);
    return new URL(origin).host === host.toLowerCase() ? origin : null;
  }

  appOrigins(): string[] {
    const listensAt = this.#app.listensAt();
    return [...this.#app.named(), ...(listensAt === null ? [] : [listensAt])];
  }

  async close(): Promise<void> {}

  #originOf(moduleid: number): string {
    return this.#pattern.replace('*', `m${moduleid}`);
  }
}

/** The range of ports of modules. */
export interface ModulePorts {
  /** Module 1 has the first port, module 2 the next. With 0, each module gets any free port. */
  first: number;
  /** The highest port. */
  last: number;
  /**
   * Whether the range was configured, so that only these ports are reachable. Otherwise any free port replaces a taken
   * one.
   */
  areNamed: boolean;
}

/** A port for each module, opened when it is first played. It is derived from the module's number, so it is unique. */
export class PortOrigins implements ModuleOrigins {
  readonly #ports: ModulePorts;
  readonly #app: AppOrigins;
  readonly #listen: ListenForModule;
  readonly #open = new Map<number, Promise<number>>();
  readonly #moduleAt = new Map<number, number>();

  constructor(ports: ModulePorts, app: AppOrigins, listen: ListenForModule) {
    this.#ports = ports;
    this.#app = app;
    this.#listen = listen;
  }

  async open(moduleid: number, appOrigin: string): Promise<string> {
    this.#refuseBehindProxy(appOrigin);
    const url = new URL(appOrigin);
    url.port = String(await this.#portOf(moduleid));
    return url.origin;
  }

  at(moduleid: number, host: string): string | null {
    const origin = URL.parse(`${this.#scheme}//${host}`);
    if (origin === null) return null;
    return this.#moduleAt.get(portOf(origin)) === moduleid ? origin.origin : null;
  }

  appOrigins(host: string): string[] {
    const beside = URL.parse(`${this.#scheme}//${host}`);
    const own = this.#app.listensAt();
    if (beside !== null && own !== null) beside.port = String(portOf(new URL(own)));
    return [...this.#app.named(), ...(beside === null ? [] : [beside.origin])];
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#open.values());
  }

  get #scheme(): string {
    return new URL(this.#app.listensAt() ?? 'http://localhost').protocol;
  }

  /**
   * Throws if people reach the app at another scheme or port than its own, because then they cannot reach other ports.
   */
  #refuseBehindProxy(appOrigin: string): void {
    const [seen, own] = [new URL(appOrigin), new URL(this.#app.listensAt() ?? appOrigin)];
    const isMapped = this.#ports.areNamed && this.#app.named().includes(appOrigin);
    if (seen.protocol === own.protocol && (portOf(seen) === portOf(own) || isMapped)) return;
    throw new Problem(
      'unavailable',
      'Modules cannot be played yet: this server is behind a proxy, where each module needs a host name of its own. Start it with --module-origin https://*.modules.example.org (a name that leads there)',
    );
  }

  #portOf(moduleid: number): Promise<number> {
    const open = this.#open.get(moduleid) ?? this.#openPort(moduleid);
    this.#open.set(moduleid, open);
    // The port may be free at the next call.
    open.catch(() => this.#open.delete(moduleid));
    return open;
  }

  async #openPort(moduleid: number): Promise<number> {
    const { first, last, areNamed } = this.#ports;
    const wanted = first === 0 ? 0 : first + moduleid - 1;
    if (wanted > last)
      throw new Problem(
        'unavailable',
        `There is no port left for this module: it needs port ${wanted}, and the last one is ${last}. Start the server with more, such as --module-port ${first}-${Math.min(65_535, wanted + 99)}`,
      );
    const port = await this.#listen(wanted).catch((cause: unknown) => {
      if (!areNamed) return this.#listen(0);
      throw new Problem(
        'unavailable',
        `The port of this module, ${wanted}, is taken by another program. Free it, or choose other ports with --module-port`,
        { cause },
      );
    });
    this.#moduleAt.set(port, moduleid);
    return port;
  }
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

declare module '#server/core/services.ts' {
  interface Services {
    /** Files of training modules, and the origins of their players. */
    training: Training;
  }
}

/** Files of modules, and the origins at which they are played. */
export class Training {
  readonly files: TrainingFiles;
  #origins: ModuleOrigins | null = null;

  constructor(files: TrainingFiles) {
    this.files = files;
  }

  playsAt(origins: ModuleOrigins): void {
    this.#origins = origins;
  }

  /** Throws 503 while no player is running. */
  get origins(): ModuleOrigins {
    if (this.#origins === null) throw new Problem('unavailable', 'The module player is not running');
    return this.#origins;
  }
}
