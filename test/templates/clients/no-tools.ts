/** A server of the Model Context Protocol that has no tools. */
export const SERVER = `
import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const serverInfo = { name: 'none', version: '1' };
  const began = { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo };
  const result = method === 'initialize' ? began : { tools: [] };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
}
process.exit(0);
`;
