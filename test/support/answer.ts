/** Parses a response as JSON. The caller declares the expected type; the server under test checks its own contract. */
export async function jsonOf(response: Response): Promise<never> {
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as never;
}
