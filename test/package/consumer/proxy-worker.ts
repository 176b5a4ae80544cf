/** The proxy as a Worker, as docs/deploy.md shows it. */
export { default, KeyAccount } from 'remand/worker';
