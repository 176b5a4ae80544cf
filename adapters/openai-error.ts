/** Errors in the form of OpenAI's API, whatever the path: https://platform.openai.com/docs/guides/error-codes */

export function formatOpenAiError(status: number, message: string, field: string | null): string {
  return JSON.stringify({ error: { message, type: toOpenAiErrorType(status), param: field, code: null } });
}

/** The names that OpenAI's own API uses. */
export function toOpenAiErrorType(status: number): string {
  if (status === 429) return 'rate_limit_error';
  return status >= 400 && status < 500 ? 'invalid_request_error' : 'api_error';
}
