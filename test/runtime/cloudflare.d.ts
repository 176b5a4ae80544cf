/** What these tests use of the runtime's own module. */
declare module 'cloudflare:workers' {
  export const exports: {
    readonly default: { fetch(input: string, init?: RequestInit): Promise<Response> };
  };
}
