/** Models that reason put their thoughts first, in a form that many servers leave in the reply. */

export function removeThoughts(reply: string): string {
  return reply.replace(/^\s*<think>[\s\S]*?<\/think>/, '');
}
