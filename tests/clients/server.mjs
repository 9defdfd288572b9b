// An HTTP server of in-memory files, which clients read and write with their own stores.

import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";

/** Reads the files of a folder of this repository, by their paths in it. */
export function filesOf(folder) {
  const root = fileURLToPath(new URL(`../../${folder}`, import.meta.url));
  const paths = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    paths.map(({ parentPath, path = parentPath, name }) => {
      const file = join(path, name);
      return [file.slice(root.length).replaceAll("\\", "/"), readFileSync(file)];
    }),
  );
}

/** Serves files until the tests of the calling file are done; PUT writes into the map. Returns the URL. */
export async function serve(files) {
  const server = createServer(async (request, response) => {
    const key = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    if (request.method === "PUT") {
      const body = [];
      for await (const piece of request) body.push(piece);
      files.set(key, Buffer.concat(body));
      return response.writeHead(204).end();
    }
    const file = files.get(key);
    if (file === undefined) return response.writeHead(404).end();
    const [start, end] = rangeOf(request.headers.range, file.length);
    const headers = { "Content-Length": end - start };
    if (end - start < file.length) headers["Content-Range"] = `bytes ${start}-${end - 1}/${file.length}`;
    response.writeHead(headers["Content-Range"] ? 206 : 200, headers);
    response.end(request.method === "HEAD" ? undefined : file.subarray(start, end));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${server.address().port}`;
}

/** Returns the offsets of the first requested byte and of the end of the range. */
function rangeOf(header, length) {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (first === undefined) return [0, length];
  if (first === "") return [Math.max(0, length - Number(last)), length];
  return [Number(first), last === "" ? length : Math.min(length, Number(last) + 1)];
}
