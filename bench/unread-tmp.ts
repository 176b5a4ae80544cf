import { readFileSync, readdirSync } from 'node:fs';
import { recogniseCase } from '../src/case/recognise.ts';
import { createTemplateBook } from '../src/case/templates/book.ts';
import { createTemplateShelf } from '../src/case/templates/shelf.ts';
import { casesIn } from '../src/case/templates/learner.ts';
import { withReply } from '../src/case/templates/replied.ts';
import { verdictsIn } from '../src/case/templates/replies.ts';
import { JudgeTemplate, textParts } from '../test/templates/schema.ts';
for (const dir of process.argv.slice(2)) for (const f of readdirSync(dir)) {
  if (!f.endsWith('.json')) continue;
  const t = JudgeTemplate.parse(JSON.parse(readFileSync(`${dir}/${f}`, 'utf8')));
  if (t.kind === 'none') continue;
  const prompt = (r: any) => ({ parts: textParts(r.body).map(({ role, text }: any) => ({ role, text })) });
  const shelf = createTemplateShelf(); let made = 0;
  const book = createTemplateBook({ templates: [], learn: 'auto', id: () => `p${made++}`, shelf });
  const sch = (r: any) => r.body.response_format?.json_schema?.schema ?? r.body.tools?.[0]?.function?.parameters ?? r.body.tools?.[0]?.input_schema ?? r.body.text?.format?.schema ?? r.body.generationConfig?.responseSchema ?? null;
  for (const [n, r] of (t.requests as any[]).slice(0, 3).entries()) {
    const origin = { tenant: '', path: r.path, schema: sch(r) };
    const id = book.learn(origin, prompt(r), recogniseCase(prompt(r), { schema: origin.schema }).guess);
    const known = id ? shelf.get(id) : undefined;
    if (known) shelf.put(withReply(known, { text: r.replies[n % r.replies.length]?.text ?? 'x', read: null }));
  }
  const pl = book.pipelines()[0]!;
  if (!pl?.template || pl.state !== 'learning') continue;
  const c = casesIn(pl.template, pl.samples, pl.origin.schema).find((x) => x);
  if (!c) { console.log(`${t.name}\tNO CASE\ttrue ${JSON.stringify(t.requests[0]!.verdict)}`); continue; }
  const v = verdictsIn(c.form, pl.answers ?? [], c.options.map((o) => o.label));
  console.log(`${t.name}\t${t.kind} options ${c.options.length} form ${JSON.stringify(c.form)} \n   truth ${JSON.stringify(t.requests[0]!.verdict)}\n   replies ${JSON.stringify(pl.answers).slice(0, 330)}\n   read ${v.map((x) => x.kind).join()}`);
}
