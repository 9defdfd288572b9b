/** Checks shards: their indexes, and their inner chunks in the order of their bytes. */

import { type Awaitable, isPromise, then } from "../awaitable.js";
import { coordinatesOf } from "../chain/shard/shard-index.js";
import { type ByteRange, ChunkLengthError, type RangeQuery } from "../errors.js";
import { type Division, inOrderOf, type Level } from "../shard/division.js";
import { indexRange, LocatedIndex } from "../shard/located-index.js";
import { endOf, viewRange } from "../shard/ranges.js";
import { isDamage, readAgain } from "../shard/read-again.js";
import { type Checked, stateOf } from "./checked.js";
import type { ChunkCheck } from "./chunk-check.js";
import { hasChecksum } from "./codec-names.js";
import { originOf } from "./layout.js";
import { type CheckOutcome, type InnerOutcome, least, MISSING, type Proof } from "./outcome.js";

// Inner chunks are read together if they are close to each other, and released before the next ones are read.
const MAX_GAP = 2 ** 15;
const MAX_LENGTH = 2 ** 22;

/** What an entry of an index takes: as it is stored, as numbers, and in the order of their bytes. */
const ENTRY_MEMORY = 80;

/** How often a shard is checked from the start because it has been rewritten meanwhile. */
const MOST_VISITS = 4;

/** Returns about how many bytes of memory a check takes: for indexes, and for inner chunks that are read together. */
export function shardMemory({ levels }: Division, check: ChunkCheck): number {
  const entries = levels.reduce((sum, { layout }) => sum + layout.chunkCount, 0);
  return ENTRY_MEMORY * entries + MAX_LENGTH + check.memory;
}

/** The shard has been rewritten since its index was read. */
class RewrittenError extends Error {}

export class ShardCheck {
  readonly #checked: Checked;

  constructor(checked: Checked) {
    this.#checked = checked;
  }

  async run(): Promise<CheckOutcome> {
    for (let visits = 1; ; visits++) {
      try {
        return await new Visit(this.#checked).run();
      } catch (error) {
        if (!(error instanceof RewrittenError)) throw error;
        if (visits === MOST_VISITS) return { ...MISSING, state: "unreadable", error };
      }
    }
  }
}

/** A shard whose index has been read. */
interface Shard {
  readonly depth: number;
  readonly index: LocatedIndex;
  /** Its place in the file, and the shard that it is an inner chunk of. */
  readonly within: ByteRange | undefined;
  readonly parent: Inner | undefined;
}

/** An inner chunk, or a shard that is one. */
interface Inner {
  readonly shard: Shard;
  /** Its index in C order. */
  readonly number: number;
  readonly range: ByteRange;
}

/** One check of a shard, from its start to its end. */
class Visit {
  readonly #checked: Checked;
  readonly #parts: InnerOutcome[] = [];
  /** The shard, if the store reads no parts of it. */
  #whole: Uint8Array | undefined;
  #proof: Proof = "checksum";
  /** The least proof of the indexes that have been read: a chunk is proven no better than where it is. */
  #indexProof: Proof = "checksum";
  #byteLength = 0;
  #chunks = 0;

  constructor(checked: Checked) {
    this.#checked = checked;
  }

  async run(): Promise<CheckOutcome> {
    try {
      if (!this.#checked.store.readsRanges) await this.#readWhole();
      const index = await this.#index(0, undefined, undefined);
      if (index === undefined) return MISSING;
      await this.#visit({ depth: 0, index, within: undefined, parent: undefined });
    } catch (error) {
      if (error instanceof RewrittenError) throw error;
      this.#parts.push({ state: stateOf(error, this.#checked.options.signal), proof: "none", error });
    }
    const state = this.#state();
    return {
      state,
      proof: state === "sound" ? this.#proof : "none",
      byteLength: this.#byteLength,
      chunks: this.#chunks,
      parts: this.#parts,
      value: this.#whole,
      ...(this.#parts.some(({ isTransient }) => isTransient) && { isTransient: true }),
    };
  }

  /** Returns the worst state of what was found. */
  #state(): InnerOutcome["state"] {
    const states = ["damaged", "unreadable", "missing"] as const;
    return states.find((state) => this.#parts.some((part) => part.state === state)) ?? "sound";
  }

  #level(depth: number): Level {
    return this.#checked.form.division.levels[depth] as Level;
  }

  /** Returns the coordinates of an inner chunk, after those of the shards around it. */
  #coordinates({ shard, number }: Pick<Inner, "shard" | "number">): readonly number[] {
    const { axes, layout } = this.#level(shard.depth);
    const around = shard.parent ? this.#coordinates(shard.parent) : [];
    return [...around, ...inOrderOf(axes, coordinatesOf(number, layout.gridShape))];
  }

  /** Reads an index. @param within the place of the shard, if it is an inner chunk: `parent` */
  async #index(
    depth: number,
    within: ByteRange | undefined,
    parent: Inner | undefined,
  ): Promise<LocatedIndex | undefined> {
    const { layout, indexCodecs } = this.#level(depth);
    this.#indexProof = least(this.#indexProof, hasChecksum(indexCodecs) ? "checksum" : "decoded");
    this.#proof = least(this.#proof, this.#indexProof);
    this.#byteLength += layout.indexByteLength;
    try {
      const index = this.#readIndex(depth, within);
      return isPromise(index) ? await index : index;
    } catch (error) {
      if (parent && isDamage(error)) await this.#expectUnmoved(parent.shard, [parent.number]);
      return this.#confirmed(error, parent, async () => {
        await this.#refresh();
        return this.#readIndex(depth, within);
      });
    }
  }

  #readIndex(depth: number, within: ByteRange | undefined): Awaitable<LocatedIndex | undefined> {
    const { layout } = this.#level(depth);
    return then(
      this.#read(indexRange(layout, within)),
      (bytes) => bytes && LocatedIndex.decode(layout, bytes, within, this.#fileLength),
    );
  }

  /** The length of the file, if it is known. */
  get #fileLength(): number | undefined {
    const { store, key } = this.#checked;
    return store.readsRanges ? store.byteLengthOf(key) : this.#whole?.byteLength;
  }

  /** Checks the inner chunks of a shard. */
  async #visit(shard: Shard): Promise<void> {
    const { depth, index } = shard;
    const { levels } = this.#checked.form.division;
    if (this.#checked.options.missing) this.#addMissing(shard);
    // If the length of the file is not known, an index at its end has not been compared with the ends of inner chunks.
    const { indexLocation, indexByteLength } = this.#level(depth).layout;
    const tail = depth === 0 && indexLocation === "end" ? indexByteLength : 0;
    const last = index.inOrder.at(-1);
    const end = last === undefined ? 0 : endOf(index.rangeAt(last) as ByteRange);
    if (depth === levels.length - 1) {
      for (const group of groupsOf(shard)) {
        const isLast = endOf(extentOf(group)) === end;
        await this.#checkGroup(shard, group, isLast ? tail : 0);
      }
      return;
    }
    if (tail > 0 && end > 0) await this.#expectTail(shard, { offset: end, length: tail });
    for (const inner of innerChunks(shard)) await this.#visitInner(inner);
  }

  /**
   * Checks that the file has bytes for the index after all inner chunks. If not, compares the index with the length of the file.
   *
   * @throws InvalidElementError, ChunkLengthError
   */
  async #expectTail(shard: Shard, range: ByteRange): Promise<void> {
    const answer = this.#read(range);
    const { byteLength = 0 } = (isPromise(answer) ? await answer : answer) ?? {};
    if (byteLength === range.length) return;
    await this.#expectUnmoved(shard, shard.index.inOrder);
    const { layout } = this.#level(0);
    const read = this.#read(indexRange(layout, undefined));
    const bytes = (isPromise(read) ? await read : read) ?? new Uint8Array();
    LocatedIndex.decode(layout, bytes, undefined, range.offset + byteLength);
  }

  /** Checks an inner chunk that is a shard. */
  async #visitInner(inner: Inner): Promise<void> {
    const { shard, range } = inner;
    const depth = shard.depth + 1;
    try {
      const index = await this.#index(depth, range, inner);
      if (index === undefined) throw new RewrittenError("the shard is not there any more");
      await this.#visit({ depth, index, within: range, parent: inner });
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#parts.push({ inner: this.#coordinates(inner), state: "damaged", proof: "none", range, error });
    }
  }

  /** Reads neighbouring inner chunks, and checks each. @param tail how many bytes have to follow them */
  async #checkGroup(shard: Shard, group: readonly Inner[], tail: number): Promise<void> {
    const { check, store } = this.#checked;
    const extent = extentOf(group);
    const length = extent.length + tail;
    const answer = this.#read({ offset: extent.offset, length });
    const read = (isPromise(answer) ? await answer : answer) ?? new Uint8Array();
    const bytes = check.isAsync && !isPromise(answer) ? store.kept(read) : read;
    const { byteLength } = bytes;
    const wrong = new Map<Inner, unknown>();
    const sound = new Map<Inner, Proof>();
    for (const inner of group) {
      const { offset, length } = inner.range;
      this.#chunks += 1;
      this.#byteLength += length;
      try {
        const part = viewRange(bytes, { offset: offset - extent.offset, length });
        const proof = check.check(expectWhole(part, inner.range));
        const proven = isPromise(proof) ? await proof : proof;
        this.#proof = least(this.#proof, proven);
        if (this.#checked.options.sound) sound.set(inner, proven);
      } catch (error) {
        wrong.set(inner, error);
      }
    }
    // Only now: memory of the store is overwritten by the next request.
    if (tail > 0 && byteLength < length) {
      await this.#expectTail(shard, { offset: endOf(extent), length: tail });
    }
    if ([...wrong.values()].some(isDamage)) {
      await this.#expectUnmoved(
        shard,
        Array.from(wrong.keys(), ({ number }) => number),
      );
    }
    for (const inner of wrong.size + sound.size > 0 ? group : []) {
      if (wrong.has(inner)) await this.#confirm(inner, wrong.get(inner));
      else if (sound.has(inner)) this.#addSound(inner, sound.get(inner) as Proof);
    }
  }

  #addSound(inner: Inner, proof: Proof): void {
    const { range } = inner;
    const proven = least(this.#indexProof, proof);
    const at = this.#coordinates(inner);
    this.#parts.push({ inner: at, state: "sound", proof: proven, byteLength: range.length, range });
  }

  /** Reads an inner chunk again that was wrong. */
  async #confirm(inner: Inner, first: unknown): Promise<void> {
    const { range } = inner;
    const read = async () => {
      await this.#refresh();
      const answer = this.#read(range);
      // Whoever awaits the check gets the bytes later, when the memory of the store may hold those of another shard.
      const bytes = isPromise(answer) ? await answer : this.#checked.store.kept(answer);
      return this.#checked.check.check(expectWhole(bytes ?? new Uint8Array(), range));
    };
    try {
      this.#proof = least(this.#proof, await this.#confirmed(first, inner, read));
    } catch (error) {
      if (!isDamage(error)) throw error;
      const at = this.#coordinates(inner);
      const { length: byteLength } = range;
      this.#parts.push({ inner: at, state: "damaged", proof: "none", byteLength, range, error });
    }
  }

  /** Returns what reading again returns, and notes that it was needed. @throws the last error */
  async #confirmed<T>(first: unknown, inner: Inner | undefined, read: () => Promise<T>): Promise<T> {
    if (!isDamage(first)) throw first;
    const result = await readAgain(first, this.#checked.options.retries ?? 1, read);
    const place = inner && { inner: this.#coordinates(inner), range: inner.range };
    this.#parts.push({ ...place, state: "sound", proof: "none", error: first, isTransient: true });
    return result;
  }

  /**
   * Reads the index of a shard again, and those of the shards around it, before inner chunks are called damaged.
   *
   * @param numbers of inner chunks
   * @throws RewrittenError (inner chunks are elsewhere now)
   */
  async #expectUnmoved(shard: Shard, numbers: Iterable<number>): Promise<void> {
    if (shard.parent) await this.#expectUnmoved(shard.parent.shard, [shard.parent.number]);
    else await this.#refresh();
    let index: LocatedIndex | undefined;
    try {
      const read = this.#readIndex(shard.depth, shard.within);
      index = isPromise(read) ? await read : read;
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
    for (const number of numbers) {
      const [before, now] = [shard.index.rangeAt(number), index?.rangeAt(number)];
      if (now === undefined || now.offset !== before?.offset || now.length !== before.length) {
        throw new RewrittenError("the shard was rewritten each time that it was read");
      }
    }
  }

  /** Notes which inner chunks of a shard are missing, unless they are outside the array. */
  #addMissing(shard: Shard): void {
    const { index, depth } = shard;
    const { form, layout, coordinates } = this.#checked;
    const { levels } = form.division;
    const start = originOf(layout, coordinates);
    for (let number = 0; number < index.count; number++) {
      if (index.rangeAt(number) !== undefined) continue;
      const inner = this.#coordinates({ shard, number });
      let lengths = form.shape;
      let first = start;
      for (const [level, { grid }] of levels.slice(0, depth + 1).entries()) {
        lengths = lengths.map((length, axis) => length / (grid[axis] as number));
        const at = inner.slice(level * grid.length, (level + 1) * grid.length);
        first = first.map((start, axis) => start + (at[axis] as number) * (lengths[axis] as number));
      }
      if (first.every((at, axis) => at < (layout.shape[axis] as number))) {
        this.#parts.push({ inner, state: "missing", proof: "none" });
      }
    }
  }

  #read(range: RangeQuery): Awaitable<Uint8Array | undefined> {
    const { store, key, options } = this.#checked;
    if (store.readsRanges) return store.getRange(key, range, options);
    return this.#whole && viewRange(this.#whole, range);
  }

  /** Reads the shard again, if the store reads no parts of it. */
  async #refresh(): Promise<void> {
    if (!this.#checked.store.readsRanges) await this.#readWhole();
  }

  async #readWhole(): Promise<void> {
    const { store, key, options } = this.#checked;
    const answer = store.get(key, options);
    this.#whole = isPromise(answer) ? await answer : store.kept(answer);
  }
}

/** Yields the inner chunks of a shard that are stored, in the order of their bytes. */
function* innerChunks(shard: Shard): Generator<Inner> {
  const { index } = shard;
  for (const number of index.inOrder) yield { shard, number, range: index.rangeAt(number) as ByteRange };
}

/** Divides the inner chunks of a shard into groups that are read with one request. */
function* groupsOf(shard: Shard): Generator<readonly Inner[]> {
  let group: Inner[] = [];
  for (const inner of innerChunks(shard)) {
    const [first, last] = [group[0], group.at(-1)];
    const isClose =
      first === undefined ||
      last === undefined ||
      (inner.range.offset - endOf(last.range) <= MAX_GAP &&
        endOf(inner.range) - first.range.offset <= MAX_LENGTH);
    if (!isClose) {
      yield group;
      group = [];
    }
    group.push(inner);
  }
  if (group.length > 0) yield group;
}

function extentOf(group: readonly Inner[]): ByteRange {
  const [{ range: first }, { range: last }] = [group[0], group.at(-1)] as [Inner, Inner];
  return { offset: first.offset, length: endOf(last) - first.offset };
}

/** Returns the bytes of an inner chunk. @throws ChunkLengthError (the file has fewer than the index says) */
function expectWhole(bytes: Uint8Array, { length: expected }: ByteRange): Uint8Array {
  const { byteLength: actual } = bytes;
  if (actual === expected) return bytes;
  const message = `inner chunk is ${actual} bytes, expected ${expected} (index of the shard)`;
  throw new ChunkLengthError(message, { expected, actual });
}
