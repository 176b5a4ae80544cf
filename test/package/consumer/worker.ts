import { createJudge } from 'remand';

const judge = createJudge({
  ask: async (prompt) => {
    const swayed = !prompt.includes('Note on an earlier evaluation');
    return swayed || /# Output \(a\):\n391/.test(prompt) ? 'Output (a)' : 'Output (b)';
  },
});

export default {
  async fetch(request: Request): Promise<Response> {
    const { text, status, biases } = await judge.verdict(await request.text());
    return Response.json({ text, status, biases });
  },
};
