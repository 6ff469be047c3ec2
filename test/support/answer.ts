/**
 * The JSON of an answer. A test says by its own types what it expects of it; whether the answer keeps its contract, the
 * server under test checks itself.
 */
export async function jsonOf(response: Response): Promise<never> {
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as never;
}
