/** Which headers of a judge's reply go on to the client. */

/** Reply headers that clients of the known protocols read; `*` for any ending. Everything else stays here. */
export const FORWARDED_HEADERS: readonly string[] = [
  // What the body is, RFC 9110 §8 and §14, RFC 9530
  ...['content-type', 'content-length', 'content-encoding', 'content-language', 'content-disposition'],
  ...['content-range', 'accept-ranges', 'content-digest', 'content-md5', 'repr-digest', 'etag'],
  ...['last-modified', 'date', 'age', 'expires', 'cache-control', 'vary', 'allow', 'deprecation', 'sunset'],
  // When to ask again, and how much is left
  ...['retry-after', 'retry-after-ms', 'x-should-retry', 'x-ratelimit-*', 'ratelimit', 'ratelimit-*'],
  // Ids to quote to a provider's support
  ...['request-id', 'x-request-id', 'x-correlation-id', 'x-amzn-requestid', 'apim-request-id', 'cf-ray'],
  ...['x-ms-request-id', 'x-ms-client-request-id', 'x-ms-region', 'x-cloud-trace-context', 'traceresponse'],
  // OpenAI, Anthropic, Gemini, Hugging Face and TGI, and those that speak OpenAI's protocol
  ...['openai-*', 'anthropic-*', 'x-gemini-*', 'x-goog-request-*', 'x-compute-*', 'x-inference-*'],
  ...['x-total-time', 'x-validation-time', 'x-queue-time', 'x-time-per-token', 'x-prompt-tokens'],
  ...['x-generated-tokens', 'x-sha', 'x-error-code', 'x-error-message', 'x-groq-*', 'x-openrouter-*'],
  ...['x-litellm-*', 'x-vllm-*', 'mistral-correlation-id', 'server-timing'],
];

/** What would act on the client's browser or pass for ours. No setting hands these on. */
export const NEVER_FORWARDED =
  /^(?:x-remand-|set-cookie2?$|clear-site-data$|location$|refresh$|content-security-policy|x-content-type-options$|x-frame-options$|strict-transport-security$|access-control-|cross-origin-|origin-agent-cluster$|permissions-policy$|referrer-policy$|service-worker|(?:x-)?sourcemap$|nel$|report-to$|reporting-endpoints$|alt-svc$|link$|www-authenticate$|proxy-|authentication-info$|public-key-pins)/;

/** Whether a name, or a beginning with `*`, may be listed in REMAND_REPLY_HEADERS. */
export function mayForward(name: string): boolean {
  const beginning = name.replace(/\*$/, '');
  return !NEVER_FORWARDED.test(beginning) && !'x-remand-'.startsWith(beginning);
}
