// Serves the files of a folder with ranges, and sends its port. In a process of its own, so that its processor time is not counted.

import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

const [, , folder] = process.argv;

const server = createServer(({ url, method, headers }, response) => {
  const path = join(folder, decodeURIComponent(url));
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) return response.writeHead(404).end();
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? "") ?? [];
  const isRange = first !== undefined;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first ?? 0);
  const end = !isRange || first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  const fields = { "Content-Length": end - start };
  if (isRange) fields["Content-Range"] = `bytes ${start}-${end - 1}/${size}`;
  response.writeHead(isRange ? 206 : 200, fields);
  if (method === "HEAD") return response.end();
  return createReadStream(path, { start, end: end - 1, highWaterMark: 1 << 20 }).pipe(response);
});
server.keepAliveTimeout = 0; // None: a busy machine may pause for longer than the default.
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
process.on("disconnect", () => process.exit());
