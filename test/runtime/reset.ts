/** Files share one worker; what is stored they do not: bindings are empty again when a file has ended. */
import { reset } from 'cloudflare:test';
import { afterAll } from 'vitest';

afterAll(reset);
