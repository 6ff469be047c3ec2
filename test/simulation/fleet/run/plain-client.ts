import type { Step } from '../plan.ts';
import { wordOf, wordsIn } from '../words.ts';
import type { ApiClient, Said } from './api-client.ts';
import type { RunContext } from './context.ts';
import type { ServerFaults } from './server-faults.ts';

type Needs = Pick<RunContext, 'record' | 'ledger' | 'people'>;

/** A step in a guide of the API. */
interface ListedStep {
  stepid: number;
  revisionid: number;
  title: string;
}

/** The person without a device, who writes with calls of the API. */
export class PlainClient {
  readonly #context: Needs;
  readonly #client: ApiClient;
  readonly #serverFaults: ServerFaults;

  constructor(context: Needs, client: ApiClient, serverFaults: ServerFaults) {
    this.#context = context;
    this.#client = client;
    this.#serverFaults = serverFaults;
  }

  async perform({ what, id, picks, guide }: Extract<Step, { do: 'plain' }>): Promise<void> {
    if (!this.#serverFaults.acceptsChanges) return;
    const { record } = this.#context;
    const word = wordOf(id);
    if (what === 'guide') {
      await this.#createGuide(word);
      record.say(`${id} plain guide ${word}`);
      return;
    }
    const { body } = await this.#call('GET', '/guides?limit=200', null);
    const guides = body as { guideid: number }[];
    const guideid = guide ?? guides[(picks[0] ?? 0) % Math.max(1, guides.length)]?.guideid;
    if (guideid === undefined) return;
    record.countPlain(what);
    const isDone =
      what === 'comment'
        ? await this.#comment(guideid, word)
        : what === 'step'
          ? await this.#renameStep(guideid, picks[1] ?? 0, word)
          : await this.#changeSummary(guideid, word, what === 'replace');
    if (isDone) record.say(`${id} plain ${what} ${word} on ${guideid}`);
  }

  async #createGuide(word: string): Promise<void> {
    const body = { category: 'Radio', type: 'repair', title: `Guide ${word}`, public: true };
    if ((await this.#call('POST', '/guides', body)).status < 300) this.#note(word, 'guide');
  }

  async #comment(guideid: number, word: string): Promise<boolean> {
    await this.#call('POST', `/comments/guide/${guideid}`, { text: `Comment ${word}` });
    this.#note(word, 'comment');
    return true;
  }

  /** The only call that changes a step and leaves the revision of its guide. */
  async #renameStep(guideid: number, pick: number, word: string): Promise<boolean> {
    const { body } = await this.#call('GET', `/guides/${guideid}`, null);
    // A deleted or invisible guide has none.
    const { steps = [] } = body as { steps?: ListedStep[] };
    const step = steps[pick % Math.max(1, steps.length)];
    if (step === undefined) return false;
    const path = `/guides/${guideid}/steps/${step.stepid}?revisionid=${step.revisionid}`;
    if ((await this.#call('PATCH', path, { title: `Step ${word}` })).status >= 300) return false;
    this.#note(word, 'guide');
    for (const one of wordsIn(step.title)) this.#context.ledger.forgive(one, 'taken back');
    return true;
  }

  async #changeSummary(guideid: number, word: string, replaces: boolean): Promise<boolean> {
    const { body } = await this.#call('GET', `/guides/${guideid}`, null);
    const { revisionid, summary } = body as { revisionid: number; summary: string };
    const next = replaces || summary.length > 120 ? word : `${summary} ${word}`.trim();
    const path = `/guides/${guideid}?revisionid=${revisionid}`;
    if ((await this.#call('PATCH', path, { summary: next })).status >= 300) return false;
    this.#note(word, 'guide');
    const left = new Set(wordsIn(next));
    for (const one of wordsIn(summary)) if (!left.has(one)) this.#context.ledger.forgive(one, 'taken back');
    return true;
  }

  #call(method: string, path: string, body: object | null): Promise<Said> {
    return this.#client.call(this.#context.people.plainClient, method, path, body);
  }

  #note(word: string, kind: 'guide' | 'comment'): void {
    this.#context.ledger.notePlain(this.#context.people.plainClient.name, word, kind);
  }
}
