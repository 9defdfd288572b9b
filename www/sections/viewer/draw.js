// Draws tiles on a stage, and marks what could not be shown of them.

import { failedAreas } from "../../image/failed-areas.js";

/**
 * @typedef {import("./camera.js").Camera} Camera
 * @typedef {import("./tiles.js").Painted} Painted
 */

/**
 * Makes a canvas as sharp as the screen, and empty.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {Camera} camera
 * @param {number} ratio of the screen's pixels to those of the page
 */
export function clearCanvas(canvas, { box }, ratio) {
  const [height, width] = box.map((length) => Math.round(length * ratio));
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  canvas.getContext("2d")?.clearRect(0, 0, width, height);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Camera} camera
 * @param {Painted} painted
 * @param {number} ratio
 */
export function drawTile(context, camera, { tile: { place, level }, bitmap }, ratio) {
  const [top, left] = camera.onStage([place.row, place.column]);
  const [bottom, right] = camera.onStage([place.row + place.height, place.column + place.width]);
  const pixels = Math.min(camera.scale[0] * level.factor[0], camera.scale[1] * level.factor[1]) * ratio;
  context.imageSmoothingEnabled = pixels < 1;
  // Whole pixels, so that there are no seams.
  const [y, x] = [Math.round(top * ratio), Math.round(left * ratio)];
  context.drawImage(bitmap, x, y, Math.round(right * ratio) - x, Math.round(bottom * ratio) - y);
}

/** Returns where on the stage the chunks of a tile are that could not be shown. @param {Camera} camera @param {Painted} painted */
export function failedOnStage(camera, { tile: { view, place, level }, failures }) {
  const [down, across] = level.factor;
  return failedAreas(view, failures).map(({ row, column, height, width, isUnreadable }) => {
    const [top, left] = [place.row + row * down, place.column + column * across];
    const [y, x] = camera.onStage([top, left]);
    const [bottom, right] = camera.onStage([top + height * down, left + width * across]);
    return { row: y, column: x, height: bottom - y, width: right - x, isUnreadable };
  });
}
