/** The bare upstream, in a process of its own: node:http and an instant reply. Prints its URL. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fairReply, fairStream } from './prompts.ts';

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (piece: string) => {
    body += piece;
  });
  request.on('end', () => {
    if (body.includes('"stream":true')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of fairStream(body)) response.write(event);
      response.end();
      return;
    }
    const reply = fairReply(body);
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(reply),
    });
    response.end(reply);
  });
});
server.listen(0, '127.0.0.1', 1_024, () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
