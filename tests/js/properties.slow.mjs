// Slow: the tests of random inputs, with thousands of inputs that nobody has seen before.

process.env.PROPERTY_RUNS = "3000";

for (const file of ["chains-damaged", "crc32c", "diagnosis", "hostile", "streams", "transpose"]) {
  await import(`./${file}.test.mjs`);
}
