/** Writes what tells people of the settings and of reasons, and the version: `npm run settings`. test/house.test.ts fails where it was forgotten. */
import { writeFileSync } from 'node:fs';
import {
  formatEnvExample,
  formatReasonsPage,
  formatSettingsPage,
  formatVersionFile,
} from './settings-text.ts';

writeFileSync(new URL('../.env.example', import.meta.url), formatEnvExample());
writeFileSync(new URL('../docs/settings.md', import.meta.url), formatSettingsPage());
writeFileSync(new URL('../docs/reasons.md', import.meta.url), formatReasonsPage());
writeFileSync(new URL('../src/version.ts', import.meta.url), formatVersionFile());
