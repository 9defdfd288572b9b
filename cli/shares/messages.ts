/** What threads tell each other. */

import type { Part, Summary, UnitResult } from "zarr-codecs/verify";
import type { Limits, Plan } from "../options.js";
import type { StoreSettings } from "../stores/store.js";

/** A share of a store, for one thread. */
export interface Share {
  readonly location: string;
  readonly settings: StoreSettings;
  readonly plan: Plan;
  readonly limits: Limits;
  /** The keys of the metadata of groups and arrays; undefined where the store is not listed. */
  readonly nodeKeys: readonly string[] | undefined;
  /** In place of the plan's. */
  readonly part: Part;
  readonly resume: Summary | undefined;
}

/** To a thread, each once. */
export type ThreadMessage =
  | { readonly kind: "share"; readonly share: Share }
  /** The module of `zarr-codecs`; undefined where the host does not compile it. */
  | { readonly kind: "module"; readonly module: WebAssembly.Module | undefined };

/** From the thread of a share. */
export type ShareMessage =
  /** It has been started, and begins to verify. */
  | { readonly kind: "begun" }
  /** The results since the last message, and a summary that counts exactly what was reported so far. */
  | { readonly kind: "progress" | "end"; readonly results: readonly UnitResult[]; readonly summary: Summary }
  /** The store cannot be verified. */
  | { readonly kind: "failure"; readonly message: string };

/** To the thread of a share: a message was handled. */
export const HANDLED = "handled";

/** Why a report cannot be continued. */
export const CHANGED =
  "the store has changed since its report was begun, which cannot be resumed: begin another one";
