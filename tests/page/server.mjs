// Serves files from memory, as well or as badly as a test wants it.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { unzipSync } from "fflate";

/** The stores of zarr-python, by path. */
export const STORES = new Map(
  Object.entries(unzipSync(readFileSync(fileURLToPath(new URL("stores/stores.zip", import.meta.url))))),
);

const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Headers": "*",
  "Access-Control-Allow-Methods": "GET, HEAD",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Cache-Control": "no-store",
};

/**
 * Starts a server for the tests of a file.
 *
 * @param {Map<string, Uint8Array>} files
 * @returns its address, the requests that it got, and how it behaves: `ranges` is "all", "no suffixes" or "none"; `head` is
 *   "length", "no length" or "refused"; `fail` returns a status, "stall" or nothing for a path (206 is an answer without bytes);
 *   `delay` is how many milliseconds each answer takes; `hasIndex` whether it shows folders as pages, as Python's http.server does
 */
export async function startServer(files) {
  const server = {
    url: "",
    requests: [],
    ranges: "all",
    head: "length",
    delay: 0,
    hasIndex: false,
    fail: () => undefined,
  };
  const http = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://host").pathname.slice(1));
    const { range } = request.headers;
    if (request.method === "OPTIONS") return response.writeHead(204, CORS).end();
    server.requests.push({ method: request.method, path, range });
    if (server.delay > 0) await new Promise((resolve) => setTimeout(resolve, server.delay));
    const failure = server.fail(path);
    if (failure === "stall") return undefined;
    if (failure !== undefined) return response.writeHead(failure, CORS).end();
    const bytes = files.get(path);
    if (bytes === undefined && server.hasIndex && path.endsWith("/")) return answerIndex(response, path);
    if (bytes === undefined) return response.writeHead(404, CORS).end();
    if (request.method === "HEAD") return answerHead(response, bytes);
    return answer(response, bytes, range);
  });

  function answerHead(response, bytes) {
    if (server.head === "refused") return response.writeHead(405, CORS).end();
    const length =
      server.head === "length" ? { "Content-Length": bytes.length } : { "Transfer-Encoding": "chunked" };
    return response.writeHead(200, { ...CORS, ...length }).end();
  }

  function answerIndex(response, folder) {
    const inside = [...files.keys()].filter((path) => path.startsWith(folder));
    const names = new Set(inside.map((path) => /^[^/]*\/?/.exec(path.slice(folder.length))[0]));
    const links = Array.from(names, (name) => `<li><a href="${encodeURI(name)}">${name}</a></li>`);
    response.writeHead(200, { ...CORS, "Content-Type": "text/html; charset=utf-8" });
    return response.end(`<!DOCTYPE HTML><ul><li><a href="../">..</a></li>${links.join("")}</ul>`);
  }

  function answer(response, bytes, range) {
    const whole = () => response.writeHead(200, CORS).end(bytes);
    if (range === undefined || server.ranges === "none") return whole();
    const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
    if (first === undefined) return response.writeHead(400, CORS).end();
    if (first === "" && server.ranges === "no suffixes") return response.writeHead(400, CORS).end();
    const start = first === "" ? Math.max(0, bytes.length - Number(last)) : Number(first);
    const end = first === "" || last === "" ? bytes.length : Math.min(bytes.length, Number(last) + 1);
    if (start >= end) return response.writeHead(416, CORS).end();
    return response.writeHead(206, CORS).end(bytes.subarray(start, end));
  }

  await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
  server.url = `http://127.0.0.1:${http.address().port}/`;
  after(() => {
    http.closeAllConnections();
    http.close();
  });
  return server;
}

/** The bytes of a text or of an object as JSON. */
export const encoded = (value) =>
  new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
