/** Verifies shards: their indexes, and each inner chunk. */

import { type Awaitable, isPromise, then } from "../awaitable.js";
import { type Division, indexRange, type Level, LocatedIndex } from "../core.js";
import { type ByteRange, ChunkLengthError, type RangeQuery } from "../errors.js";
import { endOf, viewRange } from "../shards/ranges.js";
import type { BytesCheck } from "./check.js";
import { hasChecksum } from "./codecs.js";
import {
  expectWhole,
  extentOf,
  groupsOf,
  type Inner,
  InnerChunks,
  MAX_LENGTH,
  missingIn,
} from "./inner-chunks.js";
import { type Finding, isDamage, least, MISSING, type Outcome, readAgain, stateOf } from "./outcome.js";
import type { Requests } from "./requests.js";
import type { StoreKey } from "./store.js";
import type { Proof, UnitState } from "./types.js";
import { checkValue } from "./whole-value.js";

/** What an entry of an index takes: as it is stored, as numbers, and in the order of their bytes. */
const ENTRY_MEMORY = 80;

/** What all shards of one shape have in common. */
interface ShardForm {
  readonly requests: Requests;
  readonly division: Division;
  readonly check: BytesCheck;
  readonly retries: number;
  /** The shape of the array and of the shard, where inner chunks that are missing are reported. */
  readonly missing: { readonly arrayShape: readonly number[]; readonly shape: readonly number[] } | undefined;
  /** Whether inner chunks that are sound are reported. */
  readonly reportsInner: boolean;
}

export class ShardUnit {
  readonly #form: ShardForm;

  constructor(form: ShardForm) {
    this.#form = form;
  }

  /** How many bytes of memory verifying takes, about: that of indexes, and of inner chunks that are read together. */
  get memory(): number {
    const { division, check } = this.#form;
    const entries = division.levels.reduce((sum, { layout }) => sum + layout.chunkCount, 0);
    return ENTRY_MEMORY * entries + MAX_LENGTH + check.memory;
  }

  /** @param origin the first element of the shard */
  verify(key: StoreKey, origin: readonly number[]): Promise<Outcome> {
    return new Visit(this.#form, key, origin).run();
  }
}

/** The verification of one shard. */
class Visit {
  readonly #form: ShardForm;
  readonly #key: StoreKey;
  readonly #origin: readonly number[];
  readonly #findings: Finding[] = [];
  /** The shard, where the store reads no parts. */
  #whole: Uint8Array | undefined;
  #proof: Proof = "checksum";
  /** The least proof of the indexes that have been read: a chunk is proven no better than where it is. */
  #indexProof: Proof = "checksum";
  #byteLength = 0;
  #chunks = 0;

  constructor(form: ShardForm, key: StoreKey, origin: readonly number[]) {
    this.#form = form;
    this.#key = key;
    this.#origin = origin;
  }

  async run(): Promise<Outcome> {
    const { requests } = this.#form;
    try {
      if (!requests.readsRanges) await this.#readWhole();
      const index = await this.#index(0, undefined, []);
      if (index === undefined) return MISSING;
      await this.#visit(0, index, []);
      if (this.#state() === "sound" || this.#state() === "missing") await this.#checkValue();
    } catch (error) {
      this.#findings.push({ state: stateOf(error), proof: "none", error });
    }
    return this.#outcome();
  }

  #outcome(): Outcome {
    const state = this.#state();
    const isTransient = this.#findings.some(({ isTransient }) => isTransient);
    return {
      state,
      proof: state === "sound" ? this.#proof : "none",
      byteLength: this.#byteLength,
      chunks: this.#chunks,
      findings: this.#findings,
      ...(isTransient && { isTransient }),
    };
  }

  /** The worst state of what was found. */
  #state(): UnitState {
    const states: readonly UnitState[] = ["damaged", "unreadable", "missing"];
    return states.find((state) => this.#findings.some((finding) => finding.state === state)) ?? "sound";
  }

  /** Reads an index. @param within the place of the shard, if it is an inner chunk */
  async #index(
    depth: number,
    within: ByteRange | undefined,
    at: readonly number[],
  ): Promise<LocatedIndex | undefined> {
    const { layout, indexCodecs } = this.#form.division.levels[depth] as Level;
    const isCovered = hasChecksum(indexCodecs);
    this.#indexProof = least(this.#indexProof, isCovered ? "checksum" : "decoded");
    this.#proof = least(this.#proof, this.#indexProof);
    this.#byteLength += layout.indexByteLength;
    const range = indexRange(layout, within);
    const decode = (bytes: Uint8Array | undefined) => bytes && LocatedIndex.decode(layout, bytes, within);
    try {
      const index = then(this.#read(range), decode);
      return isPromise(index) ? await index : index;
    } catch (error) {
      return this.#confirmed(error, { at }, async () => decode(await this.#readAgain(range)));
    }
  }

  /** Verifies the inner chunks of a shard. */
  async #visit(depth: number, index: LocatedIndex, around: readonly number[]): Promise<void> {
    const { division, missing } = this.#form;
    const level = division.levels[depth] as Level;
    if (missing) for (const at of missingIn(index, level, around)) this.#missing(at);
    const present = new InnerChunks(index, level, around);
    // The length of the file is not known: an index at its end has not been compared with the ends of inner chunks.
    const { indexLocation, indexByteLength } = level.layout;
    const tail = depth === 0 && indexLocation === "end" ? indexByteLength : 0;
    if (depth === division.levels.length - 1) {
      for (const group of groupsOf(present)) {
        const isLast = endOf(extentOf(group)) === present.end;
        await this.#checkGroup(group, isLast ? tail : 0);
      }
      return;
    }
    if (tail > 0 && present.end > 0) await this.#expectTail({ offset: present.end, length: tail });
    for (const inner of present) await this.#visitInner(depth + 1, inner);
  }

  /**
   * Checks that the file has bytes for the index after all inner chunks. If not, compares an index that is read again with the
   * length of the file.
   *
   * @throws InvalidElementError, ChunkLengthError
   */
  async #expectTail(range: ByteRange): Promise<void> {
    const answer = this.#read(range);
    const { byteLength = 0 } = (isPromise(answer) ? await answer : answer) ?? {};
    if (byteLength === range.length) return;
    const { layout } = this.#form.division.levels[0] as Level;
    const bytes = await this.#readAgain(indexRange(layout, undefined));
    LocatedIndex.decode(layout, bytes ?? new Uint8Array(), undefined, range.offset + byteLength);
  }

  /** Verifies an inner chunk that is a shard. */
  async #visitInner(depth: number, { at, range }: Inner): Promise<void> {
    try {
      const index = await this.#index(depth, range, at);
      if (index === undefined) {
        throw new ChunkLengthError("the shard is not there any more", { expected: 1, actual: 0 });
      }
      await this.#visit(depth, index, at);
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#findings.push({ inner: at, state: "damaged", proof: "none", range, error });
    }
  }

  /** Reads neighbouring inner chunks, and checks each. @param tail how many bytes have to follow them */
  async #checkGroup(group: readonly Inner[], tail: number): Promise<void> {
    const { check, requests } = this.#form;
    const extent = extentOf(group);
    const length = extent.length + tail;
    const answer = this.#read({ offset: extent.offset, length });
    const read = (isPromise(answer) ? await answer : answer) ?? new Uint8Array();
    const bytes = check.isAsync && !isPromise(answer) ? requests.kept(read) : read;
    const { byteLength } = bytes;
    const wrong: [Inner, unknown][] = [];
    for (const inner of group) {
      const { offset, length } = inner.range;
      this.#chunks += 1;
      this.#byteLength += length;
      try {
        const part = viewRange(bytes, { offset: offset - extent.offset, length });
        const proof = check.check(expectWhole(part, inner.range));
        this.#sound(inner, isPromise(proof) ? await proof : proof);
      } catch (error) {
        wrong.push([inner, error]);
      }
    }
    // Only now: memory of the store is overwritten by the next request.
    if (tail > 0 && byteLength < length) await this.#expectTail({ offset: endOf(extent), length: tail });
    for (const [inner, error] of wrong) await this.#confirm(inner, error);
  }

  /** Notes that an inner chunk is sound. */
  #sound({ at, range }: Inner, proof: Proof): void {
    this.#proof = least(this.#proof, proof);
    if (!this.#form.reportsInner) return;
    const known = least(this.#indexProof, proof);
    this.#findings.push({ inner: at, state: "sound", proof: known, byteLength: range.length, range });
  }

  /** Reads an inner chunk again that was wrong. */
  async #confirm(inner: Inner, first: unknown): Promise<void> {
    const { at, range } = inner;
    const read = async () => {
      const bytes = (await this.#readAgain(range)) ?? new Uint8Array();
      return this.#form.check.check(expectWhole(bytes, range));
    };
    try {
      this.#proof = least(this.#proof, await this.#confirmed(first, inner, read));
    } catch (error) {
      const state = stateOf(error);
      if (state === "unreadable") throw error;
      this.#findings.push({ inner: at, state, proof: "none", byteLength: range.length, range, error });
    }
  }

  /** Returns what reading again returns, and notes that it was needed. @throws the last error */
  async #confirmed<T>(
    first: unknown,
    { at, range }: Pick<Inner, "at"> & Partial<Pick<Inner, "range">>,
    read: () => Promise<T>,
  ): Promise<T> {
    if (!isDamage(first)) throw first;
    const result = await readAgain(first, this.#form.retries, read);
    const inner = at.length > 0 ? { inner: at } : {};
    this.#findings.push({ ...inner, state: "sound", proof: "none", range, error: first, isTransient: true });
    return result;
  }

  /** Notes that an inner chunk is missing, unless it is beyond the array. */
  #missing(at: readonly number[]): void {
    const { division, missing } = this.#form;
    const { shape = [], arrayShape = [] } = missing ?? {};
    let lengths = shape;
    let first = this.#origin;
    for (const [depth, { grid }] of division.levels.entries()) {
      const inner = at.slice(depth * shape.length, (depth + 1) * shape.length);
      if (depth > 0 && inner.length === 0) break;
      lengths = lengths.map((length, axis) => length / (grid[axis] as number));
      first = first.map((start, axis) => start + (inner[axis] as number) * (lengths[axis] as number));
    }
    if (first.some((start, axis) => start >= (arrayShape[axis] as number))) return;
    this.#findings.push({ inner: at, state: "missing", proof: "none" });
  }

  /** Verifies a checksum that the store has of the shard, where the codecs prove less. */
  async #checkValue(): Promise<void> {
    const { requests, retries } = this.#form;
    if (this.#proof === "checksum" || !requests.hasChecksums) return;
    const check = (bytes: Uint8Array | undefined) => checkValue(requests, this.#key, bytes);
    const isCovered = await check(this.#whole).catch((error) => {
      return readAgain(error, retries, async () => check(this.#whole && (await this.#readWhole())));
    });
    if (!isCovered) return;
    this.#proof = "checksum";
    for (const [i, finding] of this.#findings.entries()) {
      const isSound = finding.state === "sound" && !finding.isTransient;
      if (isSound) this.#findings[i] = { ...finding, proof: "checksum" };
    }
  }

  #read(range: RangeQuery): Awaitable<Uint8Array | undefined> {
    const { requests } = this.#form;
    if (requests.readsRanges) return requests.getRange(this.#key, range);
    return this.#whole && viewRange(this.#whole, range);
  }

  async #readAgain(range: RangeQuery): Promise<Uint8Array | undefined> {
    const { requests } = this.#form;
    if (!requests.readsRanges) await this.#readWhole();
    const answer = this.#read(range);
    // Whoever awaits this gets the bytes later, when the memory of the store may hold those of another shard.
    return isPromise(answer) ? answer : answer && requests.kept(answer);
  }

  async #readWhole(): Promise<Uint8Array | undefined> {
    const { requests } = this.#form;
    const answer = requests.get(this.#key);
    this.#whole = isPromise(answer) ? await answer : answer && requests.kept(answer);
    return this.#whole;
  }
}
