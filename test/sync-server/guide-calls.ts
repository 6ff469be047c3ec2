import { expect } from 'vitest';

import type { Guide, Step } from '#shared/model/guide-record.ts';
import { must } from '#shared/must.ts';
import type { TestPerson, TestServer } from '#test/support/server.ts';

/** A response with its parsed body. */
export type Answer<T> = { status: number; body: T; headers: Headers };
type Refusal = { message: string; errors?: { field: string; message: string; index?: number }[] };

/** Calls of the API as a person, or without a token, on the server of the running test. */
export function callsTo(server: () => TestServer) {
  async function call<T = Refusal>(
    person: TestPerson | null,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    if (person !== null) return person.call(method, path, body, headers);
    const response = await fetch(`${server().url}/api/2.0${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? undefined : JSON.parse(text)) as T,
    };
  }

  async function readGuide(person: TestPerson | null, guideid: number): Promise<Guide> {
    const answer = await call<Guide>(person, 'GET', `/guides/${guideid}?excludePrerequisiteSteps`);
    expect(answer.status).toBe(200);
    return answer.body;
  }
  return { call, readGuide };
}

/** The steps of a guide without those of its prerequisites. */
export function ownSteps(guide: Guide): Step[] {
  return guide.steps.filter((step) => step.guideid === guide.guideid);
}

/** Own step number `index` of a guide, from 0. */
export function stepAt(guide: Guide, index: number): Step {
  return must(ownSteps(guide)[index], `step ${index + 1}`);
}
