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

export const ENVIRONMENTS = [CLIENTS, RAGAS] as const;
