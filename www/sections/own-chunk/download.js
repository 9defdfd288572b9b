// The same elements encoded in another way, to keep.

import { byteCount, h } from "../../ui/dom.js";
import { codecsOf } from "./metadata.js";
import { errorBox } from "./outcome.js";

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

  const wanted = () => ({ endian: endian.value, hasChecksum: checksum.checked });

  button.addEventListener("click", async () => {
    const { bytes, error } = await chunk.encode(wanted());
    if (error) return outcome.replaceChildren(errorBox(error));
    const name = nameOf(fileName(), wanted());
    save(new Blob([bytes]), name);
    outcome.textContent = `${name}: ${byteCount(bytes.length)}`;
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
    /** Offers the other byte order than the chunk has. */
    show({ codecs: [{ configuration }] }) {
      endian.value = configuration?.endian === "little" ? "big" : "little";
      showCodecs();
      element.hidden = false;
    },
  };
}

const nameOf = (name, { endian, hasChecksum }) =>
  `${name.replace(/\W+/g, "-")}-${endian}${hasChecksum ? "-crc32c" : ""}.bin`;

function save(blob, name) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  // Safari reads it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
