import type { RightsChange, Step } from '../plan.ts';
import { lineTeam } from '../server-names.ts';
import type { ApiClient } from './api-client.ts';
import type { RunContext } from './context.ts';
import type { ServerFaults } from './server-faults.ts';

type Needs = Pick<RunContext, 'server' | 'record' | 'people' | 'connections'>;

/** A guide in the list of the API. */
interface ListedGuide {
  guideid: number;
  revisionid: number;
}

/** The administrator, who grants and removes rights. */
export class Administrator {
  readonly #context: Needs;
  readonly #client: ApiClient;
  readonly #serverFaults: ServerFaults;

  constructor(context: Needs, client: ApiClient, serverFaults: ServerFaults) {
    this.#context = context;
    this.#client = client;
    this.#serverFaults = serverFaults;
  }

  async change({ change, picks, guide: number }: Extract<Step, { do: 'rights' }>): Promise<void> {
    if (!this.#serverFaults.acceptsChanges) return;
    const { record, people } = this.#context;
    const person = (picks[0] ?? 0) % people.count;
    const guides = await this.#guides();
    const named = guides.find(({ guideid }) => guideid === number);
    const guide = named ?? guides[(picks[1] ?? 0) % Math.max(1, guides.length)];
    if (guide === undefined) return;
    record.countFault(null, change);
    record.say(`rights: ${change} ${people.name(person)} guide ${guide.guideid}`);
    await this.#perform(change, person, guide, picks[2]);
  }

  async #perform(
    change: RightsChange,
    person: number,
    { guideid, revisionid }: ListedGuide,
    pick: number | undefined,
  ): Promise<void> {
    const { people } = this.#context;
    const { userid } = people.account(person);
    switch (change) {
      case 'guide-private':
        return this.#call('DELETE', `/guides/${guideid}/public?revisionid=${revisionid}`);
      case 'guide-public':
        return this.#call('PUT', `/guides/${guideid}/public?revisionid=${revisionid}`);
      case 'allow':
        return this.#call('PUT', `/guides/${guideid}/users/${userid}`);
      case 'disallow':
        return this.#call('DELETE', `/guides/${guideid}/users/${userid}`);
      case 'tag-guide':
        return this.#call('PUT', `/guides/${guideid}/tag`, { tag: `tag ${pick}` });
      case 'team-allow':
        return this.#call('PUT', `/guides/${guideid}/teams/1`);
      case 'team-disallow':
        return this.#call('DELETE', `/guides/${guideid}/teams/1`);
      case 'team-add':
        return this.#call('PUT', `/teams/1/users/${userid}`);
      case 'team-remove':
        return this.#call('DELETE', `/teams/1/users/${userid}`);
      case 'line-add':
        return this.#call('PUT', `/teams/${lineTeam}/users/${userid}`);
      case 'line-remove':
        return this.#call('DELETE', `/teams/${lineTeam}/users/${userid}`);
      case 'line-lead':
        await this.#call('PUT', `/teams/${lineTeam}/users/${userid}`);
        return this.#call('PATCH', `/teams/${lineTeam}`, { owner: userid });
      case 'role-author':
        return this.#edit(person, { privileges: ['User', 'Author'] });
      case 'role-user':
        return this.#edit(person, { privileges: ['User'] });
      case 'role-admin':
        return this.#edit(person, { privileges: ['User', 'Author', 'Admin'] });
      case 'suspend':
        people.suspended.add(person);
        return this.#edit(person, { enabled: false });
      case 'resume':
        people.suspended.delete(person);
        return this.#edit(person, { enabled: true });
      case 'password': {
        const secret = `another password ${pick}`;
        people.changePassword(person, secret);
        return this.#edit(person, { password: secret });
      }
      case 'end-tokens':
        return this.#context.connections.hear(await this.#context.server.endTokens(userid));
    }
  }

  /** Enables the accounts of everyone. */
  async resumeAll(): Promise<void> {
    const { suspended } = this.#context.people;
    for (const person of suspended) await this.#edit(person, { enabled: true });
    suspended.clear();
  }

  async #guides(): Promise<ListedGuide[]> {
    const { administrator } = this.#context.people;
    const path = '/guides?limit=200&includePrivate=true';
    const { body } = await this.#client.call(administrator, 'GET', path, null);
    return body as ListedGuide[];
  }

  async #call(
    method: 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body: object | null = method === 'PUT' ? {} : null,
  ): Promise<void> {
    await this.#client.call(this.#context.people.administrator, method, path, body);
  }

  /** Changes an account on the command line of the server. */
  async #edit(person: number, edit: Parameters<RunContext['server']['account']>[1]): Promise<void> {
    const { server, people, connections } = this.#context;
    connections.hear(await server.account(people.account(person).userid, edit));
  }
}
