// A web server that answers as a test wants.

import { createServer } from "node:http";

/** Serves values below /store; `answer` may answer in another way, and then returns true. */
export async function serve(t, read, answer = () => false) {
  const requests = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url, "http://localhost");
    const key = decodeURIComponent(url.pathname.replace(/^\/store\//, ""));
    requests.push({ key, query: url.search, method: request.method, range: request.headers.range });
    const bytes = read(key);
    if (answer({ key, bytes, request, response, attempt: requests.filter((r) => r.key === key).length }))
      return;
    if (bytes === undefined) return response.writeHead(404).end();
    const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
    if (first === undefined) return response.writeHead(200, { "content-length": bytes.length }).end(bytes);
    const begin = first === "" ? Math.max(0, bytes.length - Number(last)) : Number(first);
    const part = first === "" ? bytes.subarray(begin) : bytes.subarray(begin, Number(last) + 1);
    const range = `bytes ${begin}-${begin + part.length - 1}/${bytes.length}`;
    response.writeHead(206, { "content-length": part.length, "content-range": range }).end(part);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${server.address().port}/store`, requests };
}
