/** Writes what tells people of the settings: `npm run settings`. test/house.test.ts fails where it was forgotten. */
import { writeFileSync } from 'node:fs';
import { formatEnvExample, formatSettingsPage } from './settings-text.ts';

writeFileSync(new URL('../.env.example', import.meta.url), formatEnvExample());
writeFileSync(new URL('../docs/settings.md', import.meta.url), formatSettingsPage());
