/** A store in a bucket of S3, or of a server that speaks its protocol. */

import { parseXml, XmlElement } from "@rgrove/parse-xml";
import { AwsClient } from "aws4fetch";
import { HttpStore } from "./http.js";
import { HttpFile } from "./http-file.js";
import { isZip } from "./keys.js";
import { reasonOf, type Send } from "./requests.js";
import { retrying } from "./retry.js";
import {
  type OpenedStore,
  RequestError,
  type StoreEntry,
  StoreError,
  type StoreOptions,
  type StoreSettings,
} from "./store.js";

const DEFAULT_REGION = "us-east-1";

/** Where a bucket is and how requests are signed. */
interface Bucket {
  readonly name: string;
  /** Without a slash at the end. */
  readonly prefix: string;
  /** Of a server that is not Amazon's. */
  readonly endpoint: string | undefined;
  readonly region: string;
}

/** Opens a store at `s3://bucket/prefix`. @throws StoreError */
export async function openS3(location: string, settings: StoreSettings): Promise<OpenedStore> {
  const { anonymous } = settings;
  const { hostname: name, pathname } = new URL(location);
  if (name === "") throw new StoreError(`${location}: expected s3://bucket/prefix`);
  const { env } = process;
  const bucket: Bucket = {
    name,
    prefix: decodeURIComponent(pathname).replace(/^\/+|\/+$/g, ""),
    endpoint: (env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL)?.replace(/\/+$/, ""),
    region: env.AWS_REGION || env.AWS_DEFAULT_REGION || DEFAULT_REGION,
  };
  const region = bucket.endpoint ? bucket.region : await regionOf(bucket);
  const place = { ...bucket, region };
  if (isZip(pathname)) {
    const { openZipIn } = await import("./zip.js");
    const send = sender(region, anonymous === true);
    const file = await HttpFile.open(addressOf(place, bucket.prefix), send, location);
    return openZipIn(file, location, settings);
  }
  return new S3Store(location, place, anonymous === true);
}

class S3Store extends HttpStore {
  override readonly limits: readonly string[] = [];
  readonly #bucket: Bucket;
  readonly #send: Send;

  constructor(location: string, bucket: Bucket, anonymous: boolean) {
    const send = sender(bucket.region, anonymous);
    super(new URL(addressOf(bucket, bucket.prefix)), send, location);
    this.#bucket = bucket;
    this.#send = send;
  }

  async *list(options?: StoreOptions): AsyncGenerator<StoreEntry> {
    const prefix = this.#bucket.prefix && `${this.#bucket.prefix}/`;
    let token: string | undefined;
    do {
      const page = await this.#listPage(prefix, token, options);
      for (const { key, byteLength } of page.entries) {
        // Consoles store folders as empty objects.
        if (!key.endsWith("/")) yield { key: key.slice(prefix.length), byteLength };
      }
      token = page.token;
    } while (token !== undefined);
  }

  async #listPage(prefix: string, token: string | undefined, options: StoreOptions = {}): Promise<Page> {
    const query = new URLSearchParams({ "list-type": "2", "encoding-type": "url", prefix });
    if (token !== undefined) query.set("continuation-token", token);
    // Signatures need spaces as %20.
    const url = `${addressOf(this.#bucket, "")}?${query.toString().replaceAll("+", "%20")}`;
    return retrying(async () => {
      const response = await this.#send(url, { signal: (options.signal as AbortSignal) ?? null });
      if (!response.ok) throw new RequestError(await listingFailure(response), response.status);
      return parsePage(await response.text());
    }, options);
  }
}

interface Page {
  readonly entries: StoreEntry[];
  /** Of the next page. */
  readonly token: string | undefined;
}

function parsePage(xml: string): Page {
  const { root } = parseXml(xml);
  if (root?.name !== "ListBucketResult")
    throw new RequestError("the server's answer is not a listing of a bucket");
  const isEncoded = textOf(root, "EncodingType") === "url";
  const decode = (key: string) => (isEncoded ? decodeURIComponent(key.replaceAll("+", "%20")) : key);
  const entries = childrenOf(root, "Contents").map((item) => ({
    key: decode(textOf(item, "Key") ?? ""),
    byteLength: Number(textOf(item, "Size")),
  }));
  const hasMore = textOf(root, "IsTruncated") === "true";
  return { entries, token: hasMore ? textOf(root, "NextContinuationToken") : undefined };
}

const childrenOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((child): child is XmlElement => child instanceof XmlElement && child.name === name);

const textOf = (element: XmlElement, name: string): string | undefined => childrenOf(element, name)[0]?.text;

async function listingFailure(response: Response): Promise<string> {
  const body = await response.text().catch(() => "");
  const code = /<Code>(.*?)<\/Code>/.exec(body)?.[1];
  return `could not list the bucket: the server answered ${response.status}${code ? ` (${code})` : ""}`;
}

/** Signs requests where there are credentials, else sends them as anyone's. */
function sender(region: string, anonymous: boolean): Send {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = process.env;
  // Without it, S3 does not send checksums.
  const withChecksums = (init: RequestInit): RequestInit => ({
    ...init,
    headers: { ...(init.headers as Record<string, string>), "x-amz-checksum-mode": "ENABLED" },
  });
  if (anonymous || !accessKeyId || !secretAccessKey) return (url, init) => fetch(url, withChecksums(init));
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    region,
    service: "s3",
    retries: 0,
    ...(sessionToken && { sessionToken }),
  });
  return async (url, { signal, ...init }) =>
    fetch(await client.sign(url, withChecksums(init)), { signal: signal ?? null });
}

/** Returns the address of a key. A bucket's name is part of the host only where that is a valid one for certificates. */
function addressOf({ name, endpoint, region }: Bucket, key: string): string {
  const path = key.split("/").map(encodeURIComponent).join("/");
  if (endpoint) return `${endpoint}/${name}/${path}`;
  const host = `s3.${region}.amazonaws.com`;
  return name.includes(".") ? `https://${host}/${name}/${path}` : `https://${name}.${host}/${path}`;
}

/** Asks in which region a bucket is: S3 says so to anyone, whatever the status of its answer. */
async function regionOf(bucket: Bucket): Promise<string> {
  try {
    const response = await fetch(addressOf(bucket, ""), { method: "HEAD" });
    return response.headers.get("x-amz-bucket-region") ?? bucket.region;
  } catch (error) {
    throw new StoreError(`s3://${bucket.name}: the request failed: ${reasonOf(error)}`);
  }
}
