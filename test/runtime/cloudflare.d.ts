/** What these tests use of the runtime's own module. */
declare module 'cloudflare:workers' {
  export const env: {
    readonly DB: import('../../src/proxy/storage/d1.ts').D1;
    readonly ACCOUNTS: import('../../src/proxy/limits/edge.ts').Objects;
    readonly CACHE: import('../../src/proxy/cache/store.ts').Kv & {
      list(): Promise<{ readonly keys: readonly { readonly name: string }[] }>;
    };
  };
  export const exports: {
    readonly default: { fetch(input: string, init?: RequestInit): Promise<Response> };
  };
}
