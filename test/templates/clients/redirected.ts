/** For clients that let nobody say where their judge is: what they send to a provider goes to ours. */
export async function redirected<T>(base: string, work: () => Promise<T>): Promise<T> {
  const { fetch } = globalThis;
  globalThis.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const ours = url.hostname.startsWith('api.') ? `${base}${url.pathname}${url.search}` : url.href;
    return fetch(ours, init);
  };
  try {
    return await work();
  } finally {
    globalThis.fetch = fetch;
  }
}
