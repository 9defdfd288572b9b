/** Words and numbers for people. */

import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Where text goes, and whether it may have colours. */
export interface Output {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** Colours text on a terminal that wants it. */
export function paint(output: Output, style: Style, text: string): string {
  const isWanted = process.env.FORCE_COLOR
    ? process.env.FORCE_COLOR !== "0"
    : output.isTTY && !process.env.NO_COLOR;
  return isWanted ? styleText(style, text) : text;
}

export const formatNumber = (value: number): string => value.toLocaleString("en");

const BYTES = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"];

/** Writes a number of bytes with three digits. */
export function formatBytes(count: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(count, 1)) / 10), BYTES.length - 1);
  const value = count / 1024 ** power;
  const digits = power === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${BYTES[power]}`;
}

/** Writes a time in at most two units. */
export function formatDuration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Writes a number and a noun, in the plural where it is one. */
export const count = (number: number, noun: string): string =>
  `${formatNumber(number)} ${noun}${number === 1 ? "" : "s"}`;
