/** The package ships no types. */
declare module 'istanbul-lib-instrument' {
  export function createInstrumenter(options: {
    readonly esModules: boolean;
    readonly coverageVariable: string;
    readonly compact: boolean;
  }): { instrumentSync(code: string, filename: string): string };
}
