// Chunks of the sample store, which zarr-python wrote.

const STORE = "sample.zarr";

/** @typedef {{ name: string, metadata: object, key: string }} Example an array and the key of its first chunk */

/** @param {string} key */
async function fetched(key) {
  const response = await fetch(`${STORE}/${key}`);
  if (!response.ok) throw new Error(`${key}: ${response.status} ${response.statusText}`);
  return response;
}

/** @returns {Promise<Example[]>} */
export async function loadExamples() {
  const group = await (await fetched("zarr.json")).json();
  /** @type {[string, any][]} */
  const arrays = Object.entries(group.consolidated_metadata.metadata);
  return arrays.map(([name, array]) => ({
    name,
    // The short form, which createCodecChain accepts.
    metadata: {
      dataType: array.data_type,
      shape: array.chunk_grid.configuration.chunk_shape,
      codecs: array.codecs,
    },
    key: `${name}/${["c", ...array.shape.map(() => 0)].join("/")}`,
  }));
}

/** @param {Example} example */
export const loadChunk = async ({ key }) => (await fetched(key)).blob();
