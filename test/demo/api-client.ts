/** A work order, as far as the demo reads it. Durations: seconds. */
export interface Entry {
  entryid: number;
  workorderid: string;
  userid: number;
  status: string;
  duration: number;
  active_duration: number;
  has_deviations?: boolean;
  stations?: number[];
  work_data: { label: string; field_type: string; value: string; image_src?: { original: string } }[];
}

/** A plain client of the public API: `fetch` and none of our code. */
export class ApiClient {
  readonly #base: string;
  #token = '';

  constructor(serverUrl: string) {
    this.#base = `${serverUrl}/api/2.0`;
  }

  async signIn(email: string, password: string): Promise<void> {
    const { status, body } = await this.call('POST', '/user/token', { email, password });
    if (status !== 201) throw new Error(`Signing in as ${email} answered ${status}`);
    this.#token = (body as { authToken: string }).authToken;
  }

  /** Changes the caller's own password, which ends their other sessions. */
  async changePassword(current_password: string, password: string): Promise<void> {
    const { userid } = await this.get<{ userid: number }>('/user');
    const { status } = await this.call('PATCH', `/users/${userid}`, { current_password, password });
    if (status !== 200) throw new Error(`Changing a password answered ${status}`);
  }

  /** One request; JSON in and out. */
  async call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
    const response = await fetch(this.#base + path, {
      method,
      headers: this.#token === '' ? {} : { Authorization: `api ${this.#token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  }

  /** GET that must answer 200. */
  async get<T>(path: string): Promise<T> {
    const { status, body } = await this.call('GET', path);
    if (status !== 200) throw new Error(`GET ${path} answered ${status}`);
    return body as T;
  }

  /** The bytes at an absolute URL. */
  async bytes(url: string): Promise<Buffer> {
    const response = await fetch(url, { headers: { Authorization: `api ${this.#token}` } });
    if (!response.ok) throw new Error(`GET ${url} answered ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  }
}
