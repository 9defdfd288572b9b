/** What the command needs of a store beyond what `verifyStore` does. */

import type { VerifiableStore } from "zarr-codecs/verify";
import type { ZipColumns } from "./zip-directory.js";

export type { ObjectChecksum, StoreEntry, StoreOptions } from "zarr-codecs/verify";

/** A key, with a leading slash. */
export type StoreKey = Parameters<VerifiableStore["get"]>[0];

/** A part of a value: so many bytes from an offset, or the last ones. */
export type RangeQuery = Parameters<NonNullable<VerifiableStore["getRange"]>>[1];

/** A store that was opened by its location. */
export interface OpenedStore extends VerifiableStore {
  /** What reports call it: without credentials or a signature in its address. */
  readonly name: string;
  /** What cannot be found in this store, for people. */
  readonly limits?: readonly string[];
  /** Lists the keys of the metadata of groups and arrays, faster than all keys. */
  nodeKeys?(): Iterable<string>;
  /** Of a zip file: read once for all threads. */
  readonly directory?: ZipColumns;
  /** Releases files. */
  close?(): void;
}

/** How a store is opened. */
export interface StoreSettings {
  /** Whether requests to S3 are sent without a signature, although there are credentials. */
  readonly anonymous?: boolean | undefined;
  /** That of a zip file, if it has been read. */
  readonly directory?: ZipColumns | undefined;
}

/** A store that cannot be opened, for a reason that its message explains. */
export class StoreError extends Error {
  override name = "StoreError";
}

/** A request that failed. */
export class RequestError extends Error {
  override name = "RequestError";
  /** The status of HTTP. */
  readonly status: number | undefined;

  constructor(message: string, status?: number, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}
