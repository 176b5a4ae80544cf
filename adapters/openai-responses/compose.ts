/** A responses request of our own. Nothing of it is kept with the endpoint. */
import type { Asked, Composed } from '../types.ts';

export function compose({ model, system, user, parameters }: Asked): Composed {
  const instructions = system === null ? {} : { instructions: system };
  return {
    path: '/v1/responses',
    headers: {},
    body: JSON.stringify({ model, ...instructions, input: user, store: false, ...parameters, stream: false }),
  };
}
