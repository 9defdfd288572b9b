import { breakOneBit, decodeGroup, describeArray } from "./sample.js";

const status = document.querySelector("#flipped");
try {
  const arrays = await decodeGroup(async (key) => {
    const response = await fetch(`sample.zarr/${key}`);
    if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
    return new Uint8Array(await response.arrayBuffer());
  });
  showTable(document.querySelector("#arrays"), arrays.map(describeArray));
  const { chunk, byte, error } = breakOneBit(arrays);
  status.textContent = `Byte ${byte} of ${chunk}: ${error.name}: ${error.message}`;
} catch (error) {
  status.textContent = String(error);
  throw error;
}

function showTable(table, rows) {
  const header = table.createTHead().insertRow();
  for (const name of Object.keys(rows[0])) {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.textContent = name;
    header.append(cell);
  }
  const body = table.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    for (const value of Object.values(row)) {
      const cell = line.insertCell();
      cell.textContent = value;
      if (typeof value === "number") cell.className = "number";
    }
  }
}
