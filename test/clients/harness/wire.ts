/** A relay between a client and the proxy that writes down what the client receives, byte for byte. */
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Received } from '../../proxy/servers.ts';

export interface Exchange {
  /** What the client sent. */
  readonly asked: Pick<Received, 'url' | 'body'>;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Wire {
  readonly url: string;
  /** What came back, in the order of its end. */
  readonly exchanges: readonly Exchange[];
}

/** @param to base URL, without a path */
export async function startWire(to: string): Promise<Wire> {
  const exchanges: Exchange[] = [];
  const { hostname, port, host } = new URL(to);
  const server = createServer((incoming, outgoing) => {
    const { method, url: path = '', headers } = incoming;
    const told: Buffer[] = [];
    const sent = request({ hostname, port, method, path, headers: { ...headers, host } }, (answered) => {
      const { statusCode: status = 0, headers } = answered;
      const pieces: Buffer[] = [];
      outgoing.writeHead(status, answered.rawHeaders);
      answered.on('data', (piece: Buffer) => {
        pieces.push(piece);
        outgoing.write(piece);
      });
      answered.on('end', () => {
        const asked = { url: path, body: Buffer.concat(told) };
        exchanges.push({ asked, status, headers, body: Buffer.concat(pieces).toString() });
        outgoing.end();
      });
    });
    sent.on('error', (error) => outgoing.destroy(error));
    incoming.on('data', (piece: Buffer) => told.push(piece));
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, exchanges };
}
