/** Exit statuses. */

import type { Summary, Verdict } from "zarr-codecs/verify";

/** Not all could be verified, or the command was used in a wrong way. */
export const INCOMPLETE = 2;

const STATUS: Readonly<Record<Verdict, number>> = {
  sound: 0,
  damaged: 1,
  insufficient: 1,
  incomplete: INCOMPLETE,
};

/** The exit status that stands for a verdict. */
export const statusOf = ({ verdict }: Summary): number => STATUS[verdict];
