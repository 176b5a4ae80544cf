/** Headers in which clients of the known protocols send their key. */
export const KEY_HEADERS = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'];
