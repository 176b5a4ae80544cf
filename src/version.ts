/** The version of package.json, for code that cannot read files. `npm run settings` writes it. */
export const VERSION = '0.1.0';
