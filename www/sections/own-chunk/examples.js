// Chunks of the sample store, which zarr-python wrote.

const STORE = "sample.zarr";

async function fetched(key) {
  const response = await fetch(`${STORE}/${key}`);
  if (!response.ok) throw new Error(`${key}: ${response.status} ${response.statusText}`);
  return response;
}

/** @returns {Promise<{ name: string, metadata: object, key: string }[]>} an array and its first chunk each */
export async function loadExamples() {
  const group = await (await fetched("zarr.json")).json();
  return Object.entries(group.consolidated_metadata.metadata).map(([name, array]) => ({
    name,
    // As short as createCodecChain takes it.
    metadata: {
      dataType: array.data_type,
      shape: array.chunk_grid.configuration.chunk_shape,
      codecs: array.codecs,
    },
    key: `${name}/${["c", ...array.shape.map(() => 0)].join("/")}`,
  }));
}

export const loadChunk = async ({ key }) => (await fetched(key)).blob();
