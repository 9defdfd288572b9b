// Downloads the elements of a chunk, encoded in another way.

import { byteCount, h } from "../../ui/dom.js";
import { codecsOf } from "./metadata.js";
import { errorBox } from "./outcome.js";

/** @typedef {import("./metadata.js").Encoding} Encoding */

/**
 * @param {import("comlink").Remote<import("./open-chunk.js").OpenChunk>} chunk
 * @param {() => string} fileName of the chunk that is open
 */
export function createDownload(chunk, fileName) {
  const endian = h("select", {}, ...["little", "big"].map((value) => h("option", {}, value)));
  const checksum = h("input", { type: "checkbox", checked: true });
  const button = h("button", { type: "button", className: "primary" }, "Download");
  const codecs = h("code", {});
  const outcome = h("div", { role: "status" });
  const element = h(
    "div",
    { className: "panel stack", hidden: true },
    h("h3", {}, "Encode it again"),
    h(
      "div",
      { className: "row" },
      h("label", { className: "row" }, "Byte order", endian),
      h("label", {}, checksum, " with ", h("code", {}, "crc32c")),
      button,
    ),
    h("p", { className: "hint" }, "For the array’s metadata: ", codecs),
    outcome,
  );

  /** @returns {Encoding} */
  const wanted = () => ({
    endian: endian.value === "big" ? "big" : "little",
    hasChecksum: checksum.checked,
  });

  button.addEventListener("click", async () => {
    const encoded = await chunk.encode(wanted());
    if ("error" in encoded) {
      outcome.replaceChildren(errorBox(encoded.error));
      return;
    }
    const name = nameOf(fileName(), wanted());
    save(new Blob([encoded.bytes]), name);
    outcome.textContent = `${name}: ${byteCount(encoded.bytes.length)}`;
  });

  const showCodecs = () => {
    codecs.textContent = `"codecs": ${JSON.stringify(codecsOf(wanted()))}`;
    outcome.textContent = "";
  };
  element.addEventListener("change", showCodecs);

  return {
    element,
    hide() {
      element.hidden = true;
    },
    /** Offers the byte order that the chunk does not have. @param {import("./open-chunk.js").ChainDescription} chain */
    show({ codecs }) {
      const bytes = codecs.find(({ name }) => name === "bytes");
      endian.value = bytes?.configuration?.endian === "little" ? "big" : "little";
      showCodecs();
      element.hidden = false;
    },
  };
}

/** @param {string} name @param {Encoding} encoding */
const nameOf = (name, { endian, hasChecksum }) =>
  `${name.replace(/\W+/g, "-")}-${endian}${hasChecksum ? "-crc32c" : ""}.bin`;

/** @param {Blob} blob @param {string} name */
function save(blob, name) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  // Safari reads it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
