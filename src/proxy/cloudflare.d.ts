/** What is used of the runtime's own module (https://developers.cloudflare.com/workflows/build/workers-api/). */
declare module 'cloudflare:workers' {
  export abstract class WorkflowEntrypoint<Env, Payload> {
    protected readonly env: Env;
    constructor(context: unknown, env: Env);
    abstract run(event: WorkflowEvent<Payload>, step: WorkflowStep): Promise<unknown>;
  }

  export interface WorkflowEvent<Payload> {
    readonly payload: Payload;
  }

  export interface WorkflowStep {
    /** What `work` resolves to is kept; it is not run again once it has resolved. */
    do<T>(
      name: string,
      config: {
        readonly retries: {
          readonly limit: number;
          /** In milliseconds. */
          readonly delay: number;
          readonly backoff: 'exponential';
        };
        /** Of one attempt, in milliseconds. */
        readonly timeout: number;
      },
      work: () => Promise<T>,
    ): Promise<T>;
    /** @param duration in milliseconds */
    sleep(name: string, duration: number): Promise<void>;
  }
}
