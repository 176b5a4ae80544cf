/** Runs of many model calls: models, stores, budgets, pace, batches, several endpoints as one. */
export { type Batches, createBatches, type OpenBatch } from './batch/batches.ts';
export { createConnection } from './batch/connection.ts';
export { type CallStore, createMemoryCalls, createStoredFetch } from './call-store.ts';
export { requestEmbedding } from './embeddings.ts';
export { createFleet } from './fleet.ts';
export { createJsonCalls, type JsonCalls } from './json-calls.ts';
export {
  type CallBytes,
  type CallResult,
  createLedger,
  type Ledger,
  type Payer,
  sumTokens,
} from './ledger.ts';
export { createModel, type Model, type ModelAnswer, type ModelQuestion, nameEndpoint } from './model.ts';
export { type ModelName, readModelName } from './model-name.ts';
export { paceFetch } from './pace.ts';
export { computeCost, type Prices, prices } from './prices.ts';
export {
  type AskTokens,
  createAskTokens,
  PROMPT_FORMS,
  type PromptForm,
  type PromptToken,
} from './prompt-tokens.ts';
export { createReplay, storedCall } from './replay.ts';
export { type RunOptions, runAll, settleAll } from './run.ts';
export { createSpend, type Spend } from './spend.ts';
