/** What these tests use of the runtime's own module. */
declare module 'cloudflare:workers' {
  export const env: { readonly DB: import('../../src/proxy/storage/d1.ts').D1 };
  export const exports: {
    readonly default: { fetch(input: string, init?: RequestInit): Promise<Response> };
  };
}
