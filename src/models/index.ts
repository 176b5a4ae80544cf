/** Runs of many model calls: models, stores, budgets, pace, batches, several endpoints as one. */
export { type Batches, createBatches, createConnection, type OpenBatch } from './batch/batches.ts';
export {
  CACHED_HEADER,
  type CallStore,
  createMemoryCalls,
  createReplay,
  createStoredFetch,
  storedCall,
} from './call-store.ts';
export { createJsonCalls, type JsonCalls, requestEmbedding } from './json-calls.ts';
export {
  type CallBytes,
  type CallResult,
  computeCost,
  createLedger,
  createSpend,
  type Ledger,
  type Payer,
  type Prices,
  prices,
  type Spend,
  sumTokens,
} from './ledger.ts';
export {
  createModel,
  isReply,
  type Model,
  type ModelAnswer,
  type ModelName,
  type ModelQuestion,
  nameEndpoint,
  readModelName,
} from './model.ts';
export {
  type AskTokens,
  createAskTokens,
  PROMPT_FORMS,
  type PromptToken,
} from './prompt-tokens.ts';
export { createFleet, endsRun, paceFetch, pairUp, type RunOptions, runAll, settleAll } from './run.ts';
