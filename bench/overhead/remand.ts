/** Remand as `remand serve` starts it, in a process of its own. Prints its URL. */
import { readConfig } from '../../src/proxy/config.ts';
import { startServer } from '../../src/proxy/server.ts';

const config = readConfig({ JUDGE_BASE_URL: process.argv[2], PORT: '0', REMAND_TRACES: ':memory:' });
const { url } = await startServer(config, () => undefined);
console.log(url);
