/** What a user of the package has already: a prompt, and a function that asks a model. */
export const prompt = [
  '# Instruction:',
  'What is 17*23?',
  '',
  '# Output (a):',
  '381',
  '',
  '# Output (b):',
  '391',
  '',
  '# Which is better, Output (a) or Output (b)? Answer with either "Output (a)" or "Output (b)":',
].join('\n');

export async function askYourModel(content: string): Promise<string> {
  const response = await fetch(`${process.env.JUDGE_URL}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'test-judge', messages: [{ role: 'user', content }] }),
  });
  const reply = (await response.json()) as { choices: { message: { content: string } }[] };
  return reply.choices[0]?.message.content ?? '';
}
