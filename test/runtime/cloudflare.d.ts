/** What these tests use of the runtime's own module. */
declare module 'cloudflare:workers' {
  export const env: {
    readonly DB: import('../../src/proxy/storage/table-sql.ts').D1;
    readonly ACCOUNTS: import('../../src/proxy/limits/key-account.ts').Objects;
    readonly CACHE: import('../../src/proxy/cache/cache-store.ts').Kv & {
      list(): Promise<{ readonly keys: readonly { readonly name: string }[] }>;
    };
  };
  export const exports: {
    readonly default: { fetch(input: string, init?: RequestInit): Promise<Response> };
  };
}

declare module 'cloudflare:test' {
  type State = import('../../src/proxy/limits/key-account.ts').ObjectState;
  type Exec = State['storage']['sql']['exec'];
  interface Storage extends Omit<State['storage'], 'sql'> {
    readonly sql: { exec(...args: Parameters<Exec>): ReturnType<Exec> & { readonly rowsWritten: number } };
  }
  /** Runs in the isolate of an object. */
  export function runInDurableObject<T>(
    stub: unknown,
    work: (instance: unknown, state: { readonly storage: Storage }) => Promise<T>,
  ): Promise<T>;
  /** Empties the databases, objects and caches of all bindings. */
  export function reset(): Promise<void>;
}
