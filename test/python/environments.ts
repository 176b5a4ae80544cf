/** The Python environments of the clients: one for each list of pinned packages in requirements/. */
import { join } from 'node:path';

const environment = (name: string) => {
  const folder = join(import.meta.dirname, '.venv', name);
  return {
    name,
    folder,
    python: join(folder, 'bin/python'),
    requirements: join(import.meta.dirname, 'requirements', `${name}.txt`),
  };
};

/** The clients that go together. */
export const CLIENTS = environment('clients');
/** ragas wants older packages than they do. */
export const RAGAS = environment('ragas');

/** Programs that stand between an evaluation and its models: each brings half a web server with it. */
export const GATEWAYS = environment('gateways');

export const ENVIRONMENTS = [CLIENTS, RAGAS, GATEWAYS] as const;
