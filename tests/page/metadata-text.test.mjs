// How the page writes data types and fill values.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fillText, typeText } from "../../www/ui/metadata-text.js";

test("data types and fill values are not JSON", () => {
  const dates = { name: "numpy.datetime64", configuration: { unit: "h", scale_factor: 1 } };
  assert.equal(typeText("uint16"), "uint16");
  assert.equal(typeText(dates), "numpy.datetime64 (unit h, scale factor 1)");
  const fields = [["id", "int32"], { name: "at", data_type: dates }];
  assert.equal(
    typeText({ name: "struct", configuration: { fields } }),
    "struct (id: int32, at: numpy.datetime64 (unit h, scale factor 1))",
  );
  assert.equal(typeText({ name: "string" }), "string");
  assert.equal(fillText(dates, JSON.parse("-9223372036854775808")), "NaT");
  assert.equal(fillText("int64", 0), "0");
  assert.equal(fillText("string", ""), '""');
});
