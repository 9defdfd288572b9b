// Shows decoded values as a picture or a line, a histogram and a table.

import uPlot from "uplot";
import { color } from "../../ui/color.js";
import { facts, h, showBitmap } from "../../ui/dom.js";
import { linePlot } from "../../ui/line-plot.js";
import { drawPlot } from "../../ui/plot.js";

/**
 * @param {import("comlink").Remote<import("./open-chunk.js").OpenChunk>} chunk
 */
export function createValues(chunk) {
  const aspect = h("select", {});
  const aspectField = h("label", { className: "field" }, "Seen as", aspect);
  const sliders = h("div", { className: "stack" });
  const linePlace = h("div", {});
  const canvas = h("canvas", { className: "own-chunk-picture" });
  const point = h("p", { className: "hint mono" });
  const pictureNote = h("p", { className: "hint" });
  const histogramPlace = h("div", {});
  const statistics = h("div", {});
  const row = h("input", { type: "number", min: 0, value: 0 });
  const column = h("input", { type: "number", min: 0, value: 0 });
  const tableNote = h("p", { className: "hint" });
  const table = h("table", { className: "mono" });
  const element = h(
    "div",
    { className: "stack", hidden: true },
    h(
      "div",
      { className: "columns" },
      h(
        "figure",
        { className: "panel stack" },
        h("h3", {}, "Picture"),
        aspectField,
        sliders,
        linePlace,
        canvas,
        point,
        pictureNote,
      ),
      h("figure", { className: "panel stack" }, h("h3", {}, "Histogram"), histogramPlace, statistics),
    ),
    h(
      "div",
      { className: "panel stack" },
      h("h3", {}, "Values"),
      h(
        "div",
        { className: "row" },
        h("label", { className: "field" }, "From row", row),
        h("label", { className: "field" }, "From column", column),
      ),
      h("div", { className: "scroll", tabIndex: 0, role: "region", ariaLabel: "Values" }, table),
      tableNote,
    ),
  );

  /** @type {uPlot | undefined} */
  let line;
  /** @type {uPlot | undefined} */
  let plot;
  let picture = { width: 1, height: 1, rows: 1, columns: 1, step: 1 };
  /** The shape of the chunk and the indices of its leading axes. @type {{ shape: readonly number[], leading: number[] }} */
  let shown = { shape: [], leading: [] };

  const showPicture = async () => {
    const { bitmap, ...drawn } = await chunk.picture(aspect.value, shown.leading);
    picture = drawn;
    showBitmap(canvas, bitmap);
    canvas.style.setProperty("--aspect", String(drawn.width / drawn.height));
    canvas.role = "img";
    canvas.ariaLabel = `${drawn.rows} rows and ${drawn.columns} columns, ${aspect.value}`;
    pictureNote.textContent = [
      drawn.step > 1
        ? `One in ${drawn.step} rows and columns of ${drawn.rows} × ${drawn.columns} is painted.`
        : "",
      drawn.rows * drawn.columns > 1 ? "Click to show the values there in the table." : "",
    ].join(" ");
  };

  const showLine = async () => {
    const { indices, numbers, step } = await chunk.line(aspect.value);
    line?.destroy();
    line = linePlot(linePlace, `The ${aspect.value} of each element`, indices, numbers);
    pictureNote.textContent =
      step > 1 ? `One in ${step} elements of ${shown.shape[0].toLocaleString("en")} is drawn.` : "";
  };

  const showElements = () => (shown.shape.length === 1 ? showLine() : showPicture());

  const showHistogram = async () => {
    const { histogram, least, greatest, mean, nan, infinite } = await chunk.describe(aspect.value);
    const { centers, counts, width } = histogram;
    plot?.destroy();
    plot = drawHistogram(histogramPlace, aspect.value, centers, counts, width);
    statistics.replaceChildren(
      facts({
        least: least ?? "none is finite",
        greatest,
        mean: mean === undefined ? undefined : String(Number(mean.toPrecision(7))),
        NaN: nan > 0 ? nan.toLocaleString("en") : undefined,
        infinite: infinite > 0 ? infinite.toLocaleString("en") : undefined,
      }),
    );
  };

  const showTable = async () => {
    const { lines, columnNumbers, rows, columns } = await chunk.table(
      shown.leading,
      Number(row.value) || 0,
      Number(column.value) || 0,
    );
    row.max = String(rows - 1);
    column.max = String(columns - 1);
    /** @param {string} scope @param {string} text */
    const header = (scope, text) => h("th", { scope, className: "number" }, text);
    table.replaceChildren(
      h("thead", {}, h("tr", {}, h("td"), ...columnNumbers.map((number) => header("col", String(number))))),
      h(
        "tbody",
        {},
        ...lines.map(({ row, cells }) =>
          h(
            "tr",
            {},
            header("row", String(row)),
            ...cells.map((cell) => h("td", { className: "number" }, cell)),
          ),
        ),
      ),
    );
    const part = `rows ${lines[0].row} to ${lines[lines.length - 1].row} of ${rows}, columns ${columnNumbers[0]} to ${columnNumbers.at(-1)} of ${columns}`;
    tableNote.textContent = `Shown: ${part}${shown.leading.length > 0 ? `, at [${shown.leading.join(", ")}]` : ""}.`;
  };

  /** Returns the row and column of the plane under the pointer. @param {MouseEvent} event */
  const pointed = ({ offsetX, offsetY }) => ({
    row: Math.min(
      picture.rows - 1,
      picture.step * Math.floor((offsetY / canvas.clientHeight) * picture.height),
    ),
    column: Math.min(
      picture.columns - 1,
      picture.step * Math.floor((offsetX / canvas.clientWidth) * picture.width),
    ),
  });

  canvas.addEventListener("pointermove", async (event) => {
    const at = pointed(event);
    const { shape, leading } = shown;
    const index = [...leading, at.row, at.column].slice(leading.length + 2 - shape.length);
    point.textContent = `[${index.join(", ")}]: ${await chunk.element(leading, at.row, at.column)}`;
  });
  canvas.addEventListener("click", (event) => {
    const at = pointed(event);
    row.value = String(at.row);
    column.value = String(at.column);
    showTable();
  });
  row.addEventListener("input", showTable);
  column.addEventListener("input", showTable);
  aspect.addEventListener("change", () => Promise.all([showElements(), showHistogram()]));

  const createSliders = () =>
    shown.leading.map((_, axis) => {
      const input = h("input", { type: "range", min: 0, max: shown.shape[axis] - 1, value: 0 });
      const name = h("span", {}, `Axis ${axis}: 0`);
      input.addEventListener("input", () => {
        shown.leading[axis] = Number(input.value);
        name.textContent = `Axis ${axis}: ${input.value}`;
        showPicture();
        showTable();
      });
      return h("label", { className: "field" }, name, input);
    });

  return {
    element,
    hide() {
      element.hidden = true;
    },
    /** Shows the chunk that the worker has decoded. @param {import("./open-chunk.js").ChainDescription} chain @param {import("./open-chunk.js").Decoded} decoded */
    async show({ shape }, { aspects }) {
      const isSameShape = String(shown.shape) === String(shape);
      if (!isSameShape) {
        shown = { shape, leading: shape.slice(0, -2).map(() => 0) };
        sliders.replaceChildren(...createSliders());
        row.value = "0";
        column.value = "0";
        point.textContent = " ";
      }
      if (!aspects.includes(aspect.value)) {
        aspect.replaceChildren(...aspects.map((name) => h("option", {}, name)));
      }
      aspectField.hidden = aspects.length === 1;
      canvas.hidden = shape.length === 1;
      point.hidden = canvas.hidden;
      linePlace.hidden = !canvas.hidden;
      element.hidden = false;
      await Promise.all([showElements(), showHistogram(), showTable()]);
    },
  };
}

const { format: inShort } = new Intl.NumberFormat("en", { notation: "compact" });

const NO_LEGEND = { legend: { show: false }, cursor: { show: false } };

/**
 * @param {HTMLElement} place
 * @param {string} aspect
 * @param {number[]} centers of the bins
 * @param {number[]} counts
 * @param {number} width of a bin
 */
function drawHistogram(place, aspect, centers, counts, width) {
  /** @type {Omit<uPlot.Options, "width">} */
  const options = {
    scales: {
      x: { time: false, range: [centers[0] - width, centers[centers.length - 1] + width] },
      y: { range: [0, Math.max(...counts, 1)] },
    },
    axes: [{}, { size: 64, values: (_, splits) => splits.map(inShort) }],
    series: [
      {},
      {
        stroke: () => color("series-1"),
        fill: () => color("series-1"),
        paths: uPlot.paths.bars?.({ size: [0.95, 60] }),
        points: { show: false },
      },
    ],
    ...NO_LEGEND,
    height: 220,
  };
  return drawPlot(place, `Histogram of the ${aspect} of all elements`, options, [centers, counts]);
}
