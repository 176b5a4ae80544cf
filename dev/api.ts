/** Writes docs/api.md: `npm run api`. test/docs/api.test.ts fails where it was forgotten. */
import { writeFileSync } from 'node:fs';
import { formatApiPage, readApi } from './api-page.ts';

writeFileSync(new URL('../docs/api.md', import.meta.url), formatApiPage(readApi()));
