/** What is deployed: the proxy, and the classes of its bindings. For workerd alone, whose own module a Workflow is made of. */
export { AuditWorkflow } from './audits/workflow.ts';
export { createWorker, default, KeyAccount } from './edge.ts';
