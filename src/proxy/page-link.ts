/** Links between our own pages. */
import type { Context } from 'hono';

/**
 * A link to one of our pages that holds wherever the app is mounted: a prefix that a mount takes off the path is not known here, so
 * links go up from where the page is.
 *
 * @param to from the root on: `/remand/queue`
 *
 * @example linkTo(c, '/remand/queue') // on /remand/traces/7: '../../remand/queue'
 */
export function linkTo(c: Context, to: string): string {
  return '../'.repeat(Math.max(0, c.req.path.split('/').length - 2)) + to.slice(1);
}
